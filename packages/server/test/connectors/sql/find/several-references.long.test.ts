// Several foreign keys to one deleted row, with different actions; and rows that stay without their reference.
import { describe, expect, it } from 'vitest';
import { aTable, GONE, passThrough, tablesWork } from '../sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const USERS = aTable('users', { match: { email: 'email' } });
const DOCUMENTS = aTable('documents', { via: [via('users', { author: 'id' })] });
const detach = (table: string, column: string) => ({ detach: [{ table, column }] });

await onEverySqlDatabase('a deleted row that is referred to in several ways', (target) => {
  const { query, open, ids } = target;
  const fill = (author: string, editor: string) =>
    query(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200));
      CREATE TABLE documents (id INTEGER PRIMARY KEY, author INTEGER, editor INTEGER, checker INTEGER,
        CONSTRAINT by_author FOREIGN KEY (author) REFERENCES users (id) ON DELETE ${author},
        CONSTRAINT by_editor FOREIGN KEY (editor) REFERENCES users (id) ON DELETE ${editor},
        CONSTRAINT by_checker FOREIGN KEY (checker) REFERENCES users (id) ON DELETE SET NULL);
      INSERT INTO users VALUES (1, '${JANE}'), (2, '${JOE}');
      INSERT INTO documents VALUES (11, 1, 1, 1), (12, 1, 2, NULL), (21, 2, 2, 2), (22, 2, NULL, NULL)`);

  it.each([
    ['CASCADE', 'SET NULL'],
    ['CASCADE', 'NO ACTION'],
    ['SET NULL', 'CASCADE'],
    ['NO ACTION', 'SET NULL'],
    ['RESTRICT', 'RESTRICT'],
  ])('is deleted if all referring rows are deleted too: %s and %s', async (author, editor) => {
    await fill(author, editor);
    const { erasures, verdicts } = await passThrough(open([DOCUMENTS, USERS]), [jane()]);
    expect(erasures).toEqual([{ outcome: 'erased', counts: { users: 1, documents: 2 } }]);
    expect(verdicts).toEqual([GONE]);
    expect(await ids('documents')).toEqual([21, 22]);
  });

  it.each(['CASCADE', 'SET NULL', 'NO ACTION'])(
    'is held if somebody else’s row refers by another column, and detaches it if listed: %s',
    async (editor) => {
      await fill('CASCADE', editor);
      await query('UPDATE documents SET editor = 1 WHERE id IN (21, 22)');
      expect(await previewOf(open([DOCUMENTS, USERS]))).toMatchObject({
        reason: 'unplanned_change',
        detail: expect.stringContaining('detach: [documents.editor]'),
      });
      const work = tablesWork([DOCUMENTS, USERS], detach('documents', 'editor'));
      const { erasures, verdicts } = await passThrough(open([], { work }), [jane()]);
      expect(erasures).toEqual([
        {
          outcome: 'erased',
          counts: { users: 1, documents: 2 },
          detached: { documents: 2 },
          detachedRows: expect.any(Array),
        },
      ]);
      expect(verdicts).toEqual([GONE]);
      expect(await query('SELECT id, editor FROM documents ORDER BY id')).toEqual([
        { id: 21, editor: null },
        { id: 22, editor: null },
      ]);
    },
  );

  it('goes with rows of a listed table by one key, and frees others of it by another', async () => {
    await fill('CASCADE', 'SET NULL');
    await query('UPDATE documents SET editor = 1, checker = 1 WHERE id = 21');
    const work = tablesWork([USERS], { cascades: ['documents'] });
    const { previews, erasures, verdicts } = await passThrough(open([], { work }), [jane()]);
    const counts = { users: 1, documents: 2 };
    // Two references of one row: one row.
    const detached = { documents: 1 };
    expect(previews).toMatchObject([{ counts, detached }]);
    expect(erasures).toEqual([
      { outcome: 'erased', counts, detached, detachedRows: expect.any(Array) },
    ]);
    expect(verdicts).toEqual([GONE]);
    expect(await query('SELECT author, editor, checker FROM documents WHERE id = 21')).toEqual([
      { author: 2, editor: null, checker: null },
    ]);
  });

  describe('where the row that refers is the person’s and stays', () => {
    const fill = (author: string) =>
      query(`
        CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE documents (id INTEGER PRIMARY KEY, author INTEGER,
          FOREIGN KEY (author) REFERENCES users (id) ON DELETE ${author});
        INSERT INTO users VALUES (1, '${JANE}'), (2, '${JOE}');
        INSERT INTO documents VALUES (11, 1), (12, 1), (21, 2), (22, 2)`);
    const kept = (action: Parameters<typeof aTable>[1]) =>
      aTable('documents', { via: [via('users', { author: 'id' })], ...action });

    it('loses its reference if that is listed, retained as it is', async () => {
      await fill('NO ACTION');
      const retained = kept({ action: { kind: 'retain', reason: 'tax law' } });
      const work = tablesWork([retained, USERS], detach('documents', 'author'));
      const { erasures, verdicts } = await passThrough(open([], { work }), [jane()]);
      expect(erasures).toEqual([
        {
          outcome: 'erased',
          counts: { users: 1 },
          detached: { documents: 2 },
          detachedRows: expect.any(Array),
        },
      ]);
      expect(verdicts).toMatchObject([{ outcome: 'gone' }]);
      expect(await ids('documents')).toEqual([11, 12, 21, 22]);
    });

    it.each(['SET NULL', 'NO ACTION', 'CASCADE'])(
      'needs no such line if the plan overwrites the reference: %s',
      async (author) => {
        await fill(author);
        const overwritten = kept({
          action: { kind: 'overwrite', columns: { author: { kind: 'null' } } },
        });
        const { erasures, verdicts } = await passThrough(open([overwritten, USERS]), [jane()]);
        expect(erasures).toEqual([{ outcome: 'erased', counts: { users: 1, documents: 2 } }]);
        expect(verdicts).toEqual([GONE]);
        expect(await ids('documents')).toEqual([11, 12, 21, 22]);
      },
    );
  });
});
