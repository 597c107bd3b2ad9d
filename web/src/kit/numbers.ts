/** A number as it is printed: with a true minus sign, and thousands set apart. */
export const numeral = (value: number): string =>
  String(value)
    .replace('-', '−')
    .replace(/\B(?=(\d{3})+$)/g, '\u202f');

/** The text with sums of money that do not break at the end of a line: 12 000 TL. */
export const unbroken = (text: string): string => text.replace(/(\d) (?=\d{3}\b|TL\b)/g, '$1\u00a0');
