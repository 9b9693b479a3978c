// A table without any unique key, through the whole service.
import { describe, expect } from 'vitest';
import { itOn, KINDS, tables, withTarget } from './misled-target.ts';

const SCHEMA = `
  CREATE TABLE hits (email VARCHAR(100), page VARCHAR(40));
  CREATE TABLE logins (email VARCHAR(100), day INTEGER);
  INSERT INTO hits VALUES ('jane@x.org', 'a'), ('jane@x.org', 'a'), ('jane@x.org', 'b'), ('bob@x.org', 'a');
  INSERT INTO logins VALUES ('jane@x.org', 1), ('jane@x.org', 1), ('bob@x.org', 1)`;
const SETTINGS = [
  'tenancy: none',
  tables(
    '{ table: hits, match: { email: email } }',
    '{ table: logins, match: { email: email }, action: { retain: "fraud" } }',
  ),
];
const LOGINS = { action: 'retain', rows: 2, reason: 'fraud' };

describe.each(KINDS)('rows without a unique key (%s)', (kind) => {
  itOn(kind)('are erased and on record by their number', () =>
    withTarget(kind, SCHEMA, SETTINGS, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.evidenceOf(request)).toMatchObject({
        action: 'erased',
        verified: 'requeried',
        tables: { hits: { action: 'delete', rows: 3 }, logins: LOGINS },
      });
      expect(await shop.count('hits')).toBe(1);
      expect(await shop.count('logins')).toBe(3);
    }),
  );

  itOn(kind)('are claimed where the attempt that erased them was cut off', () =>
    withTarget(kind, SCHEMA, SETTINGS, async (shop) => {
      const request = await shop.request();
      await shop.dieAfterErasing();
      await shop.run();
      expect(await shop.evidenceOf(request)).toMatchObject({
        action: 'erased',
        recovered: true,
        tables: { hits: { action: 'delete', rows: 3 } },
      });
      expect(await shop.statusOf(request)).toBe('completed');
    }),
  );

  itOn(kind)('are not claimed where somebody else deleted them', () =>
    withTarget(kind, SCHEMA, SETTINGS, async (shop) => {
      const request = await shop.request();
      await shop.failOnce();
      await shop.query("DELETE FROM hits WHERE page = 'b'");
      await shop.run();
      expect(await shop.evidenceOf(request)).toMatchObject({
        action: 'erased',
        tables: { hits: { action: 'delete', rows: 2 } },
      });
    }),
  );

  itOn(kind)('that come back before the second look keep the request open', () =>
    withTarget(kind, SCHEMA, SETTINGS, async (shop) => {
      const request = await shop.request();
      const { outcomes } = await shop.runWhile("INSERT INTO hits VALUES ('jane@x.org', 'c')");
      expect(outcomes).toMatchObject([{ outcome: 'failed', code: 'still_there' }]);
      shop.later();
      await shop.run();
      expect(await shop.evidenceOf(request)).toMatchObject({ tables: { hits: { rows: 4 } } });
      expect(await shop.statusOf(request)).toBe('completed');
    }),
  );
});
