// As MySQL's and MariaDB's catalogues write the same expression.
import { describe, expect, it } from 'vitest';
import { plainExpression } from '../../../src/connectors/mysql/escaped-expression.ts';

describe('an expression of the catalogue', () => {
  it.each([
    ["json_extract(`d`,_utf8mb4\\'$.email\\')", "json_extract(`d`,_utf8mb4'$.email')"],
    ["(`v` <> _utf8mb4\\'era\\\\\\'s\\\\n\\')", "(`v` <> _utf8mb4'era\\'s\\n')"],
    ['lower(`e`)', 'lower(`e`)'],
  ])('of MySQL is read without the escapes: %s', (escaped, plain) => {
    expect(plainExpression(escaped)).toBe(plain);
  });

  it.each(["json_extract(`d`,'$.email')", String.raw`'it\'s' <> v`, String.raw`v like 'a\\b'`])(
    'of MariaDB stays as it is: %s',
    (plain) => {
      expect(plainExpression(plain)).toBe(plain);
    },
  );
});
