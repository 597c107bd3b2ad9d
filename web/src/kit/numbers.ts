/** A number as it is printed: with a true minus sign, and thousands set apart. */
export const numeral = (value: number): string =>
  String(value)
    .replace('-', '−')
    .replace(/\B(?=(\d{3})+$)/g, '\u202f');
