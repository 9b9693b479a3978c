// Tables whose rows refer to rows of the same table: a person's own rows go in an order that every action of the
// foreign key allows, and other people's rows are not touched unless the column is listed under "detach".

import { describe, expect, it } from 'vitest';
import { eraseFound } from '../../helpers/erase-found.ts';
import { aTable, GONE, isFound, passThrough, tablesWork, toOrder } from './sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, previewOf, via } from './use-sql-target.ts';

const ACTIONS = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'] as const;
const USERS = aTable('users', { match: { email: 'email' } });
const COMMENTS = aTable('comments', { via: [via('users', { user_id: 'id' })] });
const TABLES = [COMMENTS, USERS];
const DETACH = tablesWork(TABLES, { detach: [{ table: 'comments', column: 'parent_id' }] });

await onEverySqlDatabase('rows that refer to rows of their own table', (target) => {
  const { query, open, ids, connector } = target;
  // InnoDB does not know the last one.
  const actions = ACTIONS.filter((action) => connector !== 'mysql' || action !== 'SET DEFAULT');

  const fill = (action: string, comments: string) =>
    query(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200));
      CREATE TABLE comments (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, parent_id INTEGER DEFAULT NULL,
        CONSTRAINT by_user FOREIGN KEY (user_id) REFERENCES users (id),
        CONSTRAINT answers FOREIGN KEY (parent_id) REFERENCES comments (id) ON DELETE ${action});
      INSERT INTO users VALUES (1, '${JANE}'), (2, '${JOE}');
      ${comments}`);

  const parents = async () => {
    const rows = await query('SELECT parent_id FROM comments ORDER BY id');
    return rows.map(({ parent_id }) => (parent_id === null ? null : Number(parent_id)));
  };

  describe.each(actions)('ON DELETE %s', (action) => {
    it('are deleted if all of them are the person’s, whatever their numbers', async () => {
      await fill(
        action,
        `INSERT INTO comments VALUES (5, 1, NULL), (9, 2, NULL);
        INSERT INTO comments VALUES (3, 1, 5), (7, 1, 5), (12, 1, 9);
        INSERT INTO comments VALUES (4, 1, 3), (8, 1, 3), (1, 1, 7);
        UPDATE comments SET parent_id = 9 WHERE id = 9`,
      );
      const { erasures, verdicts } = await passThrough(open(TABLES), [jane()]);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { users: 1, comments: 7 } }]);
      expect(verdicts).toEqual([GONE]);
      expect(await ids('comments')).toEqual([9]);
    });

    it('are deleted even if they refer to themselves, or to each other in a circle', async () => {
      await fill(
        action,
        `INSERT INTO comments VALUES (1, 1, NULL), (2, 1, 1), (3, 1, 2), (4, 1, NULL), (5, 1, 2), (6, 2, NULL);
        UPDATE comments SET parent_id = 3 WHERE id = 1;
        UPDATE comments SET parent_id = 4 WHERE id = 4`,
      );
      const { erasures, verdicts } = await passThrough(open(TABLES), [jane()]);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { users: 1, comments: 5 } }]);
      expect(verdicts).toEqual([GONE]);
      expect(await ids('comments')).toEqual([6]);
    });

    it('are held if somebody else’s row refers to them, with the line to write', async () => {
      await fill(action, 'INSERT INTO comments VALUES (1, 1, NULL), (2, 2, 1), (3, 2, 2)');
      expect(await previewOf(open(TABLES))).toMatchObject({
        outcome: 'held',
        reason: 'unplanned_change',
        detail: expect.stringMatching(
          /^a row of comments that stays refers by parent_id to a row of comments .*detach: \[comments\.parent_id\]/,
        ),
      });
    });

    it('are held if such a row came since the preview', async () => {
      await fill(action, 'INSERT INTO comments VALUES (1, 1, NULL), (2, 2, NULL)');
      const held = open(TABLES);
      const order = toOrder(jane(), await previewOf(held));
      await query('UPDATE comments SET parent_id = 1 WHERE id = 2');
      expect(await eraseFound(held, [order])).toMatchObject([
        { outcome: 'held', reason: 'unplanned_change' },
      ]);
      expect(await ids('comments')).toEqual([1, 2]);
    });

    it('leave somebody else’s row without its reference if that is listed', async () => {
      await fill(
        action,
        `INSERT INTO comments VALUES (1, 1, NULL), (2, 2, 1), (3, 2, 2), (4, 1, 1), (5, 2, 4), (6, 2, 1)`,
      );
      const { previews, erasures, verdicts } = await passThrough(open(TABLES, { work: DETACH }), [
        jane(),
      ]);
      const counts = { users: 1, comments: 2 };
      expect(isFound(previews[0])).toMatchObject({ counts, detached: { comments: 3 } });
      expect(erasures).toEqual([
        { outcome: 'erased', counts, detached: { comments: 3 }, detachedRows: expect.any(Array) },
      ]);
      expect(verdicts).toEqual([GONE]);
      expect(await ids('comments')).toEqual([2, 3, 5, 6]);
      expect(await parents()).toEqual([null, 2, null, null]);
    });
  });

  it('never change another tenant’s row, although the column is listed', async () => {
    await query(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, account VARCHAR(20), email VARCHAR(200));
      CREATE TABLE comments (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, parent_id INTEGER,
        FOREIGN KEY (user_id) REFERENCES users (id),
        FOREIGN KEY (parent_id) REFERENCES comments (id) ON DELETE SET NULL);
      INSERT INTO users VALUES (1, 'acme', '${JANE}'), (2, 'globex', '${JOE}'), (3, 'acme', '${JOE}');
      INSERT INTO comments VALUES (1, 1, NULL), (2, 3, 1)`);
    const tenancy = { way: 'column', column: 'account', values: {} } as const;
    const connectorOf = () => open(TABLES, { work: DETACH, tenancy });
    expect(await previewOf(connectorOf())).toMatchObject({ detached: { comments: 1 } });
    await query('INSERT INTO comments VALUES (3, 2, 1)');
    expect(await previewOf(connectorOf())).toMatchObject({
      outcome: 'held',
      reason: 'tenant_mismatch',
    });
  });
});
