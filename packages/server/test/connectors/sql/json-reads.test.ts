import { describe, expect, it } from 'vitest';
import { mysqlDialect } from '../../../src/connectors/mysql/mysql-dialect.ts';
import { jsonReads } from '../../../src/connectors/sql/json-reads.ts';

describe('the place that an expression reads', () => {
  it.each([
    "json_value(`data`, _utf8mb4'$.at.mail' returning char(512))",
    "json_value(`data`, _utf8mb4'$.at.mail' returning char(512) null on empty)",
    "json_value(`data`,'$.at.mail')",
  ])('is the path, whatever the value becomes: %s', (text) => {
    expect(jsonReads(text, 'data', mysqlDialect.json)).toEqual([
      { path: ['at', 'mail'], isNullForNull: true },
    ]);
  });
});
