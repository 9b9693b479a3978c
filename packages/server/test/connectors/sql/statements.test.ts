import { afterEach, describe, expect, it } from 'vitest';
import { parseStatement } from '../../../src/connectors/sql/statements/parse-statement.ts';
import type { Connector, Verdict } from '../../../src/domain/target/connector.ts';
import type { StatementsWork } from '../../../src/domain/target/target.ts';
import { inMatrix } from '../../helpers/databases/matrix.ts';
import { eraseOrders } from '../../helpers/erase-found.ts';
import { SQL_DATABASES, type SqlTestDatabase } from './sql-databases.ts';
import {
  aSubject,
  aTarget,
  connect,
  customerId,
  email,
  GLOBEX,
  isFound,
  passThrough,
} from './sql-target.ts';

const PEOPLE = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, tenant VARCHAR(40), email VARCHAR(200), no VARCHAR(40));
  CREATE TABLE posts (id INTEGER PRIMARY KEY, person INTEGER, FOREIGN KEY (person) REFERENCES people (id) ON DELETE CASCADE);
  INSERT INTO people VALUES (1, 'acme', 'jane@example.com', 'c-1'), (2, 'acme', 'joe@example.com', 'c-2'), (3, 'globex', 'jane@example.com', 'c-1');
  INSERT INTO posts VALUES (1, 1), (2, 1), (3, 2)`;
const WHO = 'tenant = :tenant AND (lower(email) = :email OR no = :controller_customer_id)';
/** True for whoever is asked about. */
const SAME = "(:tenant = 'acme' OR :email IS NULL)";
const WORK: StatementsWork = {
  kind: 'statements',
  preview: `SELECT 'people' AS name, count(*) AS n FROM people WHERE ${WHO} UNION ALL SELECT 'posts', count(*) FROM posts WHERE person IN (SELECT id FROM people WHERE ${WHO})`,
  erase: [
    `DELETE FROM posts WHERE person IN (SELECT id FROM people WHERE ${WHO})`,
    `DELETE FROM people WHERE ${WHO} -- not :a_parameter`,
  ],
  verify: `SELECT count(*) FROM people WHERE ${WHO}`,
};

const GONE: Verdict = { outcome: 'gone', how: 'requeried', by: 'sql.verify' };
const PERSON = `SELECT count(*) AS n FROM people WHERE ${WHO}`;
const jane = () => aSubject(1, [email('jane@example.com')]);

for (const kind of inMatrix('hand-written SQL on', SQL_DATABASES)) {
  describe.skipIf(!(await kind.isThere()))(`hand-written SQL on ${kind.name}`, () => {
    let database: SqlTestDatabase;
    let connector: Connector;
    afterEach(async () => {
      await connector.close();
      await database.close();
    });

    async function open(work: Partial<StatementsWork> = {}): Promise<Connector> {
      database = await kind.open();
      await database.query(PEOPLE);
      connector = connect(
        aTarget(database, { ...WORK, ...work }, { tenancy: { way: 'parameter', values: {} } }),
      );
      return connector;
    }

    const ids = async (table: string) =>
      (await database.query(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => Number(id));

    it('previews, erases and verifies by what the operator wrote', async () => {
      const { previews, erasures, verdicts } = await passThrough(await open(), [
        aSubject(1, [email('JANE@example.com')]),
        aSubject(2, [customerId('nobody')]),
      ]);
      const counts = { people: 1, posts: 2 };
      expect(previews.map((preview) => isFound(preview).counts)).toEqual([counts, {}]);
      expect(isFound(previews[0]).keys).toEqual({});
      expect(erasures).toEqual([
        { outcome: 'erased', counts },
        { outcome: 'erased', counts: {} },
      ]);
      expect(verdicts).toEqual([GONE, GONE]);
      expect(await ids('people')).toEqual([2, 3]);
    });

    it('runs once for each identity, and binds the first email with the first customer id', async () => {
      const subject = aSubject(1, [
        email('nobody@example.com'),
        email('jane@example.com'),
        customerId('c-2'),
      ]);
      const { previews, verdicts } = await passThrough(await open(), [subject]);
      expect(isFound(previews[0]).counts).toEqual({ people: 2, posts: 3 });
      expect(verdicts).toEqual([GONE]);
      expect(await ids('people')).toEqual([3]);
    });

    it("never touches another controller's rows", async () => {
      await passThrough(await open(), [aSubject(1, [customerId('c-1')], GLOBEX)]);
      expect(await ids('people')).toEqual([1, 2]);
    });

    it('rolls back and holds if more would change than was previewed', async () => {
      const { erasures } = await passThrough(await open({ preview: PERSON }), [jane()]);
      expect(erasures[0]).toMatchObject({
        outcome: 'held',
        reason: 'statements_disagree',
        detail: expect.stringContaining('sql.preview counts 1 rows and sql.erase changed 3'),
      });
      expect(await ids('posts')).toEqual([1, 2, 3]);
    });

    it('holds if fewer change than were previewed, also none', async () => {
      const nothing = `DELETE FROM people WHERE id < 0 AND ${WHO}`;
      const work = { preview: PERSON, erase: [nothing], verify: `SELECT 0 WHERE ${SAME}` };
      const { previews, erasures, verdicts } = await passThrough(await open(work), [jane()]);
      expect(isFound(previews[0]).counts).toEqual({ rows: 1 });
      // What it says is that nothing is left: believed alone, the request would be completed.
      expect(verdicts).toEqual([GONE]);
      expect(erasures[0]).toMatchObject({
        outcome: 'held',
        reason: 'statements_disagree',
        detail: expect.stringContaining('sql.preview counts 1 rows and sql.erase changed 0'),
      });
    });

    it('holds if more rows match than were ordered', async () => {
      await open();
      const order = { ...jane(), keys: {}, counts: { people: 1 } };
      expect(await eraseOrders(connector, [order])).toMatchObject([
        { outcome: 'held', reason: 'more_than_previewed' },
      ]);
      expect(await ids('people')).toEqual([1, 2, 3]);
    });

    it('does not expect what has gone since the preview, for another request or by another hand', async () => {
      const { previews, erasures } = await passThrough(await open(), [
        jane(),
        aSubject(2, [customerId('c-1')]),
      ]);
      const counts = { people: 1, posts: 2 };
      expect(previews.map((preview) => isFound(preview).counts)).toEqual([counts, counts]);
      expect(erasures).toEqual([
        { outcome: 'erased', counts },
        { outcome: 'erased', counts: {} },
      ]);
    });

    it('counts a row that two pairs of identities match for the first of them', async () => {
      const subject = aSubject(1, [
        email('jane@example.com'),
        email('other@example.com'),
        customerId('c-9'),
        customerId('c-1'),
      ]);
      const { previews, erasures, verdicts } = await passThrough(await open(), [subject]);
      expect(isFound(previews[0]).counts).toEqual({ people: 2, posts: 4 });
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, posts: 2 } }]);
      expect(verdicts).toEqual([GONE]);
    });

    it('counts an overwritten row even if it had the new value already', async () => {
      const { erasures } = await passThrough(
        await open({ preview: PERSON, erase: [`UPDATE people SET tenant = 'acme' WHERE ${WHO}`] }),
        [jane()],
      );
      expect(erasures).toEqual([{ outcome: 'erased', counts: { rows: 1 }, isFoundAgain: true }]);
    });

    it('verifies by the preview if verify is the same statement, and names it', async () => {
      const verify = `\n  ${WORK.preview.replaceAll(' ', '\n  ')} ;\n`;
      const { verdicts } = await passThrough(await open({ verify }), [jane()]);
      expect(verdicts).toEqual([{ outcome: 'gone', how: 'requeried', by: 'sql.preview' }]);
    });

    it('cannot use a request that its verify statement cannot be asked about', async () => {
      await open({
        verify: 'SELECT count(*) FROM people WHERE tenant = :tenant AND email = :email',
      });
      expect(await connector.preview([aSubject(1, [customerId('c-1')])])).toEqual([
        { outcome: 'unmatched' },
      ]);
    });

    it('cannot use a request that its preview statement cannot be asked about', async () => {
      await open({
        preview: 'SELECT count(*) FROM people WHERE tenant = :tenant AND email = :email',
      });
      expect(await connector.preview([aSubject(1, [customerId('c-1')])])).toEqual([
        { outcome: 'unmatched' },
      ]);
    });

    it.skipIf(kind.connector !== 'postgres')('counts rows that a function changes', async () => {
      await open({ preview: PERSON, erase: ['SELECT forget(:tenant, :email)'] });
      await database.query(`
        CREATE FUNCTION forget(whose text, mail text) RETURNS SETOF text LANGUAGE sql AS
          $$ DELETE FROM posts WHERE false; UPDATE people SET email = NULL
             WHERE tenant = whose AND email = mail RETURNING 'done' $$`);
      const { erasures, verdicts } = await passThrough(connector, [jane()]);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { rows: 1 } }]);
      expect(verdicts).toEqual([GONE]);
    });

    // InnoDB does not tell what its cascades did.
    it.skipIf(kind.connector === 'mysql')('counts what cascades did', async () => {
      const { erasures } = await passThrough(
        await open({
          preview: `SELECT count(*) FROM people WHERE ${WHO}`,
          erase: [`DELETE FROM people WHERE ${WHO}`],
        }),
        [aSubject(1, [email('jane@example.com')]), aSubject(2, [email('nobody@example.com')])],
      );
      expect(erasures.map(({ outcome }) => outcome)).toEqual(['held', 'erased']);
      expect(await ids('posts')).toEqual([1, 2, 3]);
    });

    it('counts the rows that are left after erasing', async () => {
      const { verdicts } = await passThrough(await open({ erase: [] }), [
        aSubject(1, [email('jane@example.com')]),
      ]);
      expect(verdicts).toEqual([{ outcome: 'remains', counts: { rows: 1 } }]);
    });

    it('cannot be made to write by a preview', async () => {
      await open({ preview: `DELETE FROM people WHERE ${WHO}` });
      const subject = aSubject(1, [email('jane@example.com')]);
      await connector.preview([subject]).catch(() => undefined);
      expect(await ids('people')).toEqual([1, 2, 3]);
    });

    it('binds values, whatever they look like', async () => {
      const subjects = ["'; DROP TABLE people; --", '%', ':tenant', '$1', '?'].map((value, n) =>
        aSubject(n, [customerId(value)]),
      );
      const previews = await (await open()).preview(subjects);
      for (const preview of previews) expect(isFound(preview).counts).toEqual({});
      expect(await ids('people')).toEqual([1, 2, 3]);
    });

    it('says so when a request has none of the identities that the statements use', async () => {
      await open({
        preview: 'SELECT count(*) FROM people WHERE tenant = :tenant AND lower(email) = :email',
        erase: ['DELETE FROM people WHERE tenant = :tenant AND lower(email) = :email'],
      });
      expect(await connector.preview([aSubject(1, [customerId('c-1')])])).toEqual([
        { outcome: 'unmatched' },
      ]);
    });

    it.each(['toString', 'constructor', '__proto__'])(
      'counts rows under the name %s, over several identities',
      async (name) => {
        await open({
          preview: `SELECT '${name}' AS name, count(*) AS n FROM people WHERE ${WHO}`,
        });
        const subject = aSubject(1, [email('jane@example.com'), email('joe@example.com')]);
        const { counts } = isFound((await connector.preview([subject]))[0]);
        expect(Object.entries(counts)).toEqual([[name, 2]]);
      },
    );

    it('refuses numbers that cannot be added up', async () => {
      await open({ preview: `SELECT 9007199254740991 AS n FROM people WHERE ${WHO}` });
      const [preview] = await connector.preview([aSubject(1, [email('jane@example.com')])]);
      expect(preview).toMatchObject({ outcome: 'held', reason: 'statements_disagree' });
    });

    it('refuses data in the place of a name', async () => {
      await open({ preview: `SELECT email, count(*) FROM people WHERE ${WHO} GROUP BY email` });
      const [preview] = await connector.preview([aSubject(1, [email('jane@example.com')])]);
      expect(preview).toMatchObject({ outcome: 'held', reason: 'statements_disagree' });
      expect(JSON.stringify(preview)).not.toContain('jane');
    });
  });
}

describe('a hand-written statement', () => {
  const parametersOf = (connector: 'postgres' | 'mysql' | 'sqlite', sql: string) =>
    parseStatement(connector, sql).flatMap((part) =>
      typeof part === 'string' ? [] : [part.parameter],
    );

  it('has no parameters in quotes, comments, casts or quoted names', () => {
    const sql = `SELECT ':email', ":email", x::text -- :email
      /* :email */ FROM t WHERE a = :email::text AND b = :tenant`;
    expect(parametersOf('postgres', sql)).toEqual(['email', 'tenant']);
    expect(parametersOf('postgres', "SELECT E'\\':email', $a$ :email $a$, :tenant")).toEqual([
      'tenant',
    ]);
    expect(parametersOf('mysql', "SELECT ':email\\' :email', `:email`, :tenant # :email")).toEqual([
      'tenant',
    ]);
    expect(parametersOf('sqlite', "SELECT ':email''s', [:email], :tenant")).toEqual(['tenant']);
  });

  it('keeps its text around the parameters', () => {
    expect(
      parseStatement('sqlite', "DELETE FROM a WHERE b = :email AND c = ';' ; -- done"),
    ).toEqual(['DELETE FROM a WHERE b = ', { parameter: 'email' }, " AND c = ';' "]);
  });

  it('is one statement, ends no transaction and uses known parameters', () => {
    for (const sql of ['DELETE FROM a; DELETE FROM b', 'COMMIT', ' -- x\nrollback', 'SELECT :name'])
      expect(() => parseStatement('postgres', sql)).toThrow(/hand-written/);
  });
});
