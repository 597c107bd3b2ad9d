/** A number as it is printed, with a true minus sign. */
export const numeral = (value: number): string => String(value).replace('-', '−');
