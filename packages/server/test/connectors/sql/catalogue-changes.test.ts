// The catalogue is looked at inside the transaction that erases: what the gate has passed may have changed.

import { beforeEach, expect, it } from 'vitest';
import type { EraseOrder } from '../../../src/domain/target/connector.ts';
import { hasMysql } from '../../helpers/databases/fresh-mariadb.ts';
import { eraseFound } from '../../helpers/erase-found.ts';
import { aTable, GONE, toOrder } from './sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, previewOf, via } from './use-sql-target.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });
const NOTES = aTable('notes', { via: [via('people', { person_no: 'no' })] });

await onEverySqlDatabase('after the preview', ({ query, open, ids, connector: kind }) => {
  let connector: ReturnType<typeof open>;
  let order: EraseOrder;
  beforeEach(async () => {
    await query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, no INTEGER, email VARCHAR(200));
      CREATE UNIQUE INDEX people_no ON people (no);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, person_no INTEGER);
      INSERT INTO people VALUES (1, 71, '${JANE}'), (2, 72, '${JOE}');
      INSERT INTO notes VALUES (11, 71), (12, 72)`);
    connector = open([NOTES, PEOPLE]);
    order = toOrder(jane(), await previewOf(connector));
  });

  it('a new foreign key with CASCADE stops the target, and nothing is touched', async () => {
    await query(`CREATE TABLE extra (id INTEGER PRIMARY KEY, person INTEGER,
      FOREIGN KEY (person) REFERENCES people (id) ON DELETE CASCADE)`);
    await query('INSERT INTO extra VALUES (21, 1)');
    await expect(eraseFound(connector, [order])).rejects.toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining('extra'),
    });
    expect(await ids('extra')).toEqual([21]);
    expect(await ids('people')).toEqual([1, 2]);
  });

  it('an index that is gone proves nothing: a row that became shared is held', async () => {
    await query(`DROP INDEX people_no${kind === 'mysql' ? ' ON people' : ''}`);
    await query('UPDATE people SET no = 71');
    expect(await eraseFound(connector, [order])).toMatchObject([
      { outcome: 'held', reason: 'shared' },
    ]);
    expect(await ids('notes')).toEqual([11, 12]);
  });

  it('a column that is gone stops the target, and nothing is touched', async () => {
    await query('ALTER TABLE notes RENAME COLUMN person_no TO person');
    await expect(eraseFound(connector, [order])).rejects.toMatchObject({ code: 'target_refused' });
    expect(await ids('people')).toEqual([1, 2]);
  });

  it('a view of some of the rows in place of the table stops it, and is not found empty', async () => {
    await query('ALTER TABLE people RENAME TO all_people');
    await query('CREATE VIEW people AS SELECT * FROM all_people WHERE id > 1');
    await expect(connector.preview([jane()])).rejects.toMatchObject({ code: 'target_refused' });
    await expect(connector.verify([order])).rejects.toMatchObject({ code: 'target_refused' });
  });

  it.runIf(kind === 'postgres')('a column of bytes in place of texts stops it', async () => {
    await query('ALTER TABLE people ALTER email TYPE bytea USING email::bytea');
    await expect(connector.preview([jane()])).rejects.toMatchObject({ code: 'target_refused' });
  });

  it('rows are found by a column that has come since the preview before', async () => {
    await query('ALTER TABLE notes ADD COLUMN text VARCHAR(40)');
    expect(await connector.preview([jane()])).toMatchObject([{ counts: { people: 1, notes: 1 } }]);
  });

  it('a change that does not matter does not', async () => {
    await query('ALTER TABLE notes ADD COLUMN text VARCHAR(40)');
    expect(await eraseFound(connector, [order])).toMatchObject([
      { counts: { people: 1, notes: 1 } },
    ]);
    expect(await connector.verify([order])).toEqual([GONE]);
  });
});

const isMysql = await hasMysql();

await onEverySqlDatabase(
  'between the decision and the first change',
  ({ query, open, ids, connector: kind }) => {
    // MySQL makes a new key wait for the transactions that have read the table.
    it.skipIf(kind === 'mysql' && isMysql)(
      'a new foreign key with CASCADE takes no row of a table that the plan does not name',
      async () => {
        await query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE extra (id INTEGER PRIMARY KEY, person INTEGER);
        INSERT INTO people VALUES (1, '${JANE}'); INSERT INTO extra VALUES (21, 1)`);
        const add = `ALTER TABLE extra ADD CONSTRAINT late FOREIGN KEY (person) REFERENCES people (id)
        ON DELETE CASCADE`;
        // As migrations do it: the rows that there are stay unchecked.
        const addUnchecked =
          kind === 'mysql'
            ? `SET foreign_key_checks = 0; ${add}; SET foreign_key_checks = 1`
            : `${add} NOT VALID`;
        let isAdded = false;
        const connector = open([PEOPLE], {}, async () => {
          if (!isAdded) await query(addUnchecked);
          isAdded = true;
        });
        const refusal = await eraseFound(connector, [jane()]).catch((error: Error) => error);
        expect(isAdded).toBe(true);
        expect(refusal).toMatchObject(
          kind === 'mysql'
            ? { code: 'target_refused', message: expect.stringContaining('extra') }
            : [{ outcome: 'held', reason: 'unplanned_change' }],
        );
        expect(await ids('extra')).toEqual([21]);
        expect(await ids('people')).toEqual([1]);
      },
    );
  },
  ['mysql', 'postgres'],
);
