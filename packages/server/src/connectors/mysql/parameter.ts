// Parameters of statements. MySQL gives a parameter the type that its place asks for, and then converts values in other
// ways than it converts texts: 9223372036854775808 AS UNSIGNED becomes smaller by one, 2020-02-30 becomes a date, and a
// character that the other character set lacks is an error. As the argument of a conversion, a parameter is a text first.

export const textOf = (placeholder: string) => `CAST(${placeholder} AS CHAR CHARACTER SET utf8mb4)`;

/** Characters that the set lacks become question marks. */
export const inCharacterSet = (placeholder: string, set: string) =>
  `CONVERT(${textOf(placeholder)} USING ${set})`;
