// References between columns that ignore case: what a foreign key takes for equal is the reference.
import { describe, expect, it } from 'vitest';
import type { SqlConnector } from '../../../../src/domain/target/target.ts';
import { aSubject, aTable, email, GONE, passThrough } from '../sql-target.ts';
import {
  eraseWhole,
  JANE,
  JOE,
  jane,
  onEverySqlDatabase,
  previewOf,
  via,
} from '../use-sql-target.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });
const NOTES = aTable('notes', { via: [via('people', { person: 'code' })] });
const LINES = aTable('note_lines', { via: [via('notes', { note: 'id' })] });
const SHARED = aTable('notes', {
  via: [via('people', { person: 'code' }), via('people', { other: 'code' })],
});

/** Types of the parent's column and the child's. */
const PAIRS: Record<SqlConnector, readonly [string, string][]> = {
  postgres: [['citext', 'citext']],
  mysql: [
    ['VARCHAR(40) COLLATE utf8mb4_general_ci', 'VARCHAR(40) COLLATE utf8mb4_general_ci'],
    ['VARCHAR(40) COLLATE utf8mb4_unicode_ci', 'VARCHAR(40) COLLATE utf8mb4_unicode_ci'],
  ],
  sqlite: [
    ['TEXT COLLATE NOCASE', 'TEXT COLLATE NOCASE'],
    ['TEXT COLLATE NOCASE', 'TEXT'],
  ],
};

await onEverySqlDatabase('references that ignore case', ({ connector, query, open, ids }) => {
  describe.each(PAIRS[connector])('from %s to %s', (parent, child) => {
    const fill = async (isKey = true) => {
      if (connector === 'postgres') await query('CREATE EXTENSION IF NOT EXISTS citext');
      const key = (column: string) =>
        isKey ? `, FOREIGN KEY (${column}) REFERENCES people (code)` : '';
      await query(`
        CREATE TABLE people (code ${parent} PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE notes (id INTEGER PRIMARY KEY, person ${child}, other ${child}${key('person')}${key('other')});
        CREATE TABLE note_lines (id INTEGER PRIMARY KEY, note INTEGER);
        INSERT INTO people VALUES ('Abc', '${JANE}'), ('Xyz', '${JOE}');
        INSERT INTO notes VALUES (1, 'aBC', NULL), (2, 'Abc', 'ABC'), (3, 'xyz', NULL);
        INSERT INTO note_lines VALUES (11, 1), (12, 2), (13, 3)`);
    };

    it('complete, whatever the case', async () => {
      await fill();
      const { erasures } = await eraseWhole(open([LINES, NOTES, PEOPLE]));
      expect(erasures).toMatchObject([
        { outcome: 'erased', counts: { people: 1, notes: 2, note_lines: 2 } },
      ]);
      expect(await ids('notes')).toEqual([3]);
      expect(await ids('note_lines')).toEqual([13]);
    });

    it('complete in a batch, with several references', async () => {
      await fill();
      const subjects = [jane(1), aSubject(2, [email(JOE)])];
      const { erasures, verdicts } = await passThrough(open([LINES, SHARED, PEOPLE]), subjects);
      expect(erasures.map(({ outcome }) => outcome)).toEqual(['erased', 'erased']);
      expect(verdicts).toEqual([GONE, GONE]);
      expect(await ids('notes')).toEqual([]);
    });

    it('rows of somebody else are recognised', async () => {
      await fill();
      await query("UPDATE notes SET other = 'XYZ' WHERE id = 1");
      expect(await previewOf(open([SHARED, PEOPLE]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
      });
    });

    it('rows that were assigned to somebody else since the preview are left', async () => {
      await fill();
      const { erasures, verdicts } = await passThrough(
        open([NOTES, PEOPLE]),
        [jane()],
        async () => {
          await query("UPDATE notes SET person = 'XYZ', other = NULL WHERE id = 1");
        },
      );
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, notes: 1 } }]);
      expect(verdicts).toEqual([GONE]);
      expect(await ids('notes')).toEqual([1, 3]);
    });

    it('are held without a foreign key, with the way out', async () => {
      await fill(false);
      expect(await previewOf(open([NOTES, PEOPLE]))).toMatchObject({
        outcome: 'held',
        reason: 'ambiguous_reference',
        detail: expect.stringMatching(/write both alike, or declare a foreign key/),
      });
      await query("UPDATE notes SET person = 'Abc', other = NULL WHERE person IN ('aBC', 'Abc')");
      await query("UPDATE notes SET person = 'Xyz' WHERE id = 3");
      await eraseWhole(open([NOTES, PEOPLE]));
      expect(await ids('notes')).toEqual([3]);
    });
  });
});
