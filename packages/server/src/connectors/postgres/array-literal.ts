/** An array as PostgreSQL reads it. The driver writes them too, several times slower. */
export function arrayLiteral(values: readonly (string | null)[]): string {
  const elements = values.map((value) => {
    if (value === null) return 'NULL';
    return SPECIAL.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `"${value}"`;
  });
  return `{${elements.join()}}`;
}

const SPECIAL = /["\\]/;
