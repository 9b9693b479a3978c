// A table whose rows are deleted or overwritten by the way in which they are the person's: two targets on one
// database, as the page on targets says, in either order.
import { expect, it } from 'vitest';
import type { Overwrite } from '../../../../src/domain/target/target.ts';
import { aTable, GONE, passThrough } from '../sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, via } from '../use-sql-target.ts';

const NOTHING: Overwrite = { kind: 'null' };

await onEverySqlDatabase('one table with two actions', ({ query, open }) => {
  const written = aTable('posts', { match: { email: 'author' } });
  const edited = aTable('posts', {
    match: { email: 'editor' },
    action: { kind: 'overwrite', columns: { editor: NOTHING } },
  });
  const rows = () => query('SELECT id, author, editor FROM posts ORDER BY id');
  const left = [
    { id: 3, author: JOE, editor: null },
    { id: 5, author: JOE, editor: JOE },
  ];

  it.each([
    ['deletes first', [written, edited]],
    ['overwrites first', [edited, written]],
  ])('is two targets: %s', async (_, entries) => {
    await query(`CREATE TABLE posts (id INTEGER PRIMARY KEY, author VARCHAR(80), editor VARCHAR(80));
      INSERT INTO posts VALUES (1, '${JANE}', NULL), (2, '${JANE}', '${JOE}'), (3, '${JOE}', '${JANE}'),
        (4, '${JANE}', '${JANE}'), (5, '${JOE}', '${JOE}')`);
    const targets = entries.map((entry) => open([entry]));
    for (const target of targets)
      expect((await passThrough(target, [jane()])).verdicts).toEqual([GONE]);
    expect(await rows()).toEqual(left.map((row) => expect.objectContaining(row)));
  });

  it('is two targets that work at the same time', async () => {
    await query(`CREATE TABLE posts (id INTEGER PRIMARY KEY, author VARCHAR(80), editor VARCHAR(80));
      INSERT INTO posts VALUES (3, '${JOE}', '${JANE}'), (4, '${JANE}', '${JANE}'), (5, '${JOE}', '${JOE}')`);
    const [first, second] = [open([written]), open([edited])];
    // The row that both are about goes between the preview of the second and its erasing.
    const { erasures, verdicts } = await passThrough(second, [jane()], async () => {
      await passThrough(first, [jane(2)]);
    });
    expect(erasures).toMatchObject([{ outcome: 'erased', counts: { posts: 1 } }]);
    expect(verdicts).toEqual([GONE]);
    expect(await rows()).toEqual(left.map((row) => expect.objectContaining(row)));
  });

  it('needs only one target if the column is a reference that may become NULL', async () => {
    await query(`CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE posts (id INTEGER PRIMARY KEY, author INTEGER, editor INTEGER,
        FOREIGN KEY (author) REFERENCES users (id), FOREIGN KEY (editor) REFERENCES users (id));
      INSERT INTO users VALUES (1, '${JANE}'), (2, '${JOE}');
      INSERT INTO posts VALUES (1, 1, NULL), (2, 1, 2), (3, 2, 1), (4, 1, 1), (5, 2, 2)`);
    const tables = [
      aTable('posts', { via: [via('users', { author: 'id' })] }),
      aTable('users', { match: { email: 'email' } }),
    ];
    const work = {
      ...({ kind: 'tables', tables, cascades: [], triggers: [] } as const),
      detach: [{ table: 'posts', column: 'editor' }],
    };
    expect((await passThrough(open(tables, { work }), [jane()])).verdicts).toEqual([GONE]);
    expect(await rows()).toMatchObject([
      { id: 3, author: 2, editor: null },
      { id: 5, author: 2, editor: 2 },
    ]);
  });
});
