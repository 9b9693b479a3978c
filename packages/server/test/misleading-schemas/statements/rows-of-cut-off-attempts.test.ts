// Hand-written SQL gives numbers, no keys: what an attempt erased whose worker died, and what came since, must neither be
// claimed for each other nor be left out.
import { expect } from 'vitest';
import { describeOnEach, itOn, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60), name VARCHAR(20));
  INSERT INTO users VALUES (1, 'jane@x.org', 'Jane'), (2, 'jane@x.org', 'Jane'), (3, 'bob@x.org', 'Bob')`;
const WHO = 'users WHERE email = :email';
const COUNT = `SELECT count(*) AS n FROM ${WHO}`;

const settings = (erase = `DELETE FROM ${WHO}`, verify = COUNT) => [
  'tenancy: none',
  'sql:',
  `  preview: "${COUNT}"`,
  `  erase: ["${erase}"]`,
  `  verify: "${verify}"`,
];
const OVERWRITE = settings(
  `UPDATE users SET name = 'x' WHERE email = :email`,
  `${COUNT} AND name <> 'x'`,
);
const come = (rows: number) =>
  `INSERT INTO users VALUES ${Array.from({ length: rows }, (_, no) => `(${no + 10}, 'jane@x.org', 'Jane')`).join(', ')}`;

describeOnEach('%s', (kind) => {
  /** MariaDB is never asked: a procedure may commit by itself. */
  const isAsked = kind !== 'MariaDB';

  itOn(kind).each([1, 2, 3])('%i new rows beside those of an attempt whose worker died', (rows) =>
    withTarget(kind, SCHEMA, settings(), async (shop) => {
      const request = await shop.request();
      await shop.dieAfterErasing();
      await shop.query(come(rows));
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      const evidence = await shop.evidenceOf(request);
      expect(evidence?.tables).toEqual({
        rows: isAsked
          ? { action: 'erase', rows: rows + 2 }
          : { action: 'erase', rows, unconfirmed: 2 },
      });
      expect(evidence?.recovered).toBe(isAsked ? true : undefined);
    }),
  );

  itOn(kind)('no new row: those of the attempt are recovered, or may have been erased', () =>
    withTarget(kind, SCHEMA, settings(), async (shop) => {
      const request = await shop.request();
      await shop.dieAfterErasing();
      await shop.run();
      expect(await shop.evidenceOf(request)).toMatchObject(
        isAsked
          ? { recovered: true, tables: { rows: { rows: 2 } } }
          : { action: 'already_erased', tables: { rows: { rows: 0, unconfirmed: 2 } } },
      );
    }),
  );

  itOn(kind)('a new row beside those that an attempt has reported', () =>
    withTarget(kind, SCHEMA, settings(), async (shop) => {
      const request = await shop.request();
      await shop.runWithoutSecondLook();
      await shop.query(come(1));
      await shop.run();
      const evidence = await shop.evidenceOf(request);
      expect(evidence?.tables).toEqual({ rows: { action: 'erase', rows: 3 } });
    }),
  );

  itOn(kind)('rows that the preview finds again after they were overwritten count once', () =>
    withTarget(kind, SCHEMA, OVERWRITE, async (shop) => {
      const request = await shop.request();
      await shop.runWithoutSecondLook();
      await shop.run();
      expect((await shop.evidenceOf(request))?.tables).toEqual({
        rows: { action: 'erase', rows: 2 },
      });
    }),
  );

  itOn(kind)(
    'the same where the worker died: all of them are overwritten by the next attempt',
    () =>
      withTarget(kind, SCHEMA, OVERWRITE, async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        await shop.query(come(1));
        await shop.run();
        expect((await shop.evidenceOf(request))?.tables).toEqual({
          rows: { action: 'erase', rows: 3, ...(!isAsked && { unconfirmed: 2 }) },
        });
      }),
  );

  itOn(kind)('statements that were changed after the worker had died leave nothing out', () =>
    withTarget(kind, SCHEMA, settings(), async (shop) => {
      const request = await shop.request();
      await shop.dieAfterErasing();
      shop.configure(settings(`DELETE FROM ${WHO} AND id > 0`));
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.evidenceOf(request)).toMatchObject(
        isAsked
          ? { action: 'erased', tables: { rows: { rows: 2 } } }
          : { action: 'already_erased', tables: { rows: { rows: 0, unconfirmed: 2 } } },
      );
    }),
  );
});
