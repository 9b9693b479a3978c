// Tables without any unique key: rows are found and erased by condition, in one transaction, and an intent says
// how many there are.

import { expect, it } from 'vitest';
import { aSubject, aTable, email, GONE, passThrough } from './sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, previewOf, via } from './use-sql-target.ts';

const HITS = aTable('hits', { match: { email: 'email' } });
const USERS = aTable('users', { match: { email: 'email' } });
const CLICKS = aTable('clicks', { via: [via('users', { user_id: 'id' })] });

await onEverySqlDatabase('a table without a unique key', (target) => {
  const { query, open, connector } = target;
  const fill = () =>
    query(`
      CREATE TABLE hits (email VARCHAR(200), page VARCHAR(40), score REAL);
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200));
      CREATE TABLE clicks (user_id INTEGER, page VARCHAR(40), UNIQUE (user_id, page));
      INSERT INTO users VALUES (1, '${JANE}'), (2, '${JOE}');
      INSERT INTO hits VALUES ('${JANE}', 'a', 0.1), ('${JANE}', 'a', 0.1), ('${JANE}', NULL, NULL),
        ('${JANE.toUpperCase()}', 'b', 2), ('${JOE}', 'a', 0.1), (NULL, 'a', 0.1), ('${JANE} ', 'a', 0.1);
      INSERT INTO clicks VALUES (1, 'a'), (1, NULL), (1, NULL), (2, 'a'), (NULL, 'a')`);
  const count = async (table: string) => (await query(`SELECT 1 AS one FROM ${table}`)).length;

  it('is erased including equal rows, and no other person’s rows are', async () => {
    await fill();
    const { previews, erasures, verdicts } = await passThrough(open([HITS]), [jane()]);
    expect(previews).toMatchObject([{ counts: { hits: 4 }, keys: {} }]);
    expect(erasures).toEqual([{ outcome: 'erased', counts: { hits: 4 } }]);
    expect(verdicts).toEqual([GONE]);
    expect(await count('hits')).toBe(3);
  });

  it('is erased by its parents too', async () => {
    await fill();
    const { previews, erasures, verdicts } = await passThrough(open([CLICKS, USERS]), [jane()]);
    expect(previews).toMatchObject([{ counts: { clicks: 3, users: 1 } }]);
    expect(erasures).toEqual([{ outcome: 'erased', counts: { clicks: 3, users: 1 } }]);
    expect(verdicts).toEqual([GONE]);
    expect(await count('clicks')).toBe(2);
  });

  it('counts a row that two people share once, for the older request', async () => {
    await fill();
    await query('CREATE TABLE mails (sender VARCHAR(200), recipient VARCHAR(200))');
    await query(
      `INSERT INTO mails VALUES ('${JANE}', '${JOE}'), ('${JANE}', '${JOE}'), ('${JOE}', NULL)`,
    );
    const mails = aTable('mails', {
      match: [
        { type: 'email', column: 'sender' },
        { type: 'email', column: 'recipient' },
      ],
      shared: 'erase',
    });
    const subjects = [aSubject(2, [email(JANE)]), aSubject(1, [email(JOE)])];
    const { erasures, verdicts } = await passThrough(open([mails]), subjects);
    expect(erasures).toEqual([
      { outcome: 'erased', counts: {} },
      { outcome: 'erased', counts: { mails: 3 } },
    ]);
    expect(verdicts).toEqual([GONE, GONE]);
  });

  it('is refused where other rows refer to it, or several people may own a row', async () => {
    await fill();
    await query('CREATE TABLE clicks_of_pages (id INTEGER PRIMARY KEY, page VARCHAR(40))');
    const clicks = aTable('clicks_of_pages', { via: [via('hits', { page: 'page' })] });
    await expect(previewOf(open([clicks, HITS]))).rejects.toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining('clicks_of_pages refers to it'),
    });
    const match = [
      { type: 'email' as const, column: 'email' },
      { type: 'email' as const, column: 'page' },
    ];
    await expect(previewOf(open([aTable('hits', { match })]))).rejects.toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining('shared: erase'),
    });
  });

  it.skipIf(connector === 'mysql')('can be overwritten', async () => {
    await fill();
    const overwritten = aTable('hits', {
      match: { email: 'email' },
      action: { kind: 'overwrite', columns: { page: { kind: 'null' } } },
    });
    const { erasures, verdicts } = await passThrough(open([overwritten]), [jane()]);
    expect(erasures).toMatchObject([{ outcome: 'erased', counts: { hits: 3 } }]);
    expect(verdicts).toEqual([GONE]);
    expect(await count(`hits WHERE email = '${JANE}' AND page IS NULL`)).toBe(3);
  });
});
