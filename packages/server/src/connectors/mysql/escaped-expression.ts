// Expressions in MySQL's catalogue are written as they would be inside of a string; MariaDB's are written plainly.

const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  0: '\0',
  Z: '\x1a',
};

/** In an expression that is escaped, no quotation mark is without a backslash. */
export function plainExpression(text: string): string {
  if (/(?:^|[^\\])'/.test(text)) return text;
  return text.replaceAll(/\\(.)/gs, (_, code: string) => ESCAPED[code] ?? code);
}
