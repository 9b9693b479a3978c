// What the check says about `where`, about values inside JSON, and about blanks.
import { beforeEach, describe, expect, it } from 'vitest';
import type { MatchConfig, TableConfig } from '../../../src/domain/target/target.ts';
import { table, tables, via, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const USERS = table('users');
const OF = (kind: string, more: Partial<TableConfig> = {}): TableConfig => ({
  ...table('attachments', via('users', { record_id: 'id' })),
  name: `attachments (record_type: ${kind})`,
  where: { record_type: [kind] },
  ...more,
});
const PROFILES = (...match: MatchConfig[]) => table('profiles', { match });

await onEachDatabase(
  'the check of where and match',
  (connector) => {
    const json = connector === 'postgres' ? 'jsonb' : 'text';
    const caseless = {
      sqlite: 'varchar(20) COLLATE NOCASE',
      postgres: 'varchar(20) COLLATE caseless',
      mysql: 'varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
    }[connector];
    const collation =
      connector === 'postgres'
        ? `CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level1', deterministic = false);\n`
        : '';
    return `${collation}CREATE TABLE kinds (id int NOT NULL PRIMARY KEY, kind ${caseless}, record_id int);
CREATE TABLE users (id int NOT NULL PRIMARY KEY, email varchar(190), made_at timestamp NULL);
CREATE TABLE attachments (id int NOT NULL PRIMARY KEY, record_type varchar(20), record_id int, no int NOT NULL);
CREATE TABLE profiles (id int NOT NULL PRIMARY KEY, data ${json}, plain text, mail varchar(190), no int);
CREATE INDEX by_email ON users (email)`;
  },
  ({ connector, check, run }) => {
    const linesOf = async (
      list: readonly TableConfig[],
      ...levels: ('problem' | 'note' | 'warning' | 'ok')[]
    ) => written(await check({ work: tables(list) }), ...levels);

    describe('where', () => {
      it('is reported with the entries, by their names', async () => {
        const lines = await linesOf([OF('User'), OF('Order'), USERS], 'ok');
        expect(lines).toContainEqual(
          expect.stringContaining('ok attachments (record_type: User): found by its users; key id'),
        );
        expect(await linesOf([OF('User'), OF('Order'), USERS], 'problem')).toEqual([]);
      });

      it('warns of no value that is left out by its name', async () => {
        await run(`INSERT INTO attachments VALUES (1, 'User', 0, 1), (2, 'User', 1, 1)`);
        const someone = { ...OF('User'), where: { record_id: { not: [0] } } };
        expect(await linesOf([someone, USERS], 'warning')).not.toContainEqual(
          expect.stringContaining('blanks alone'),
        );
        const nobody = { ...OF('user'), where: { record_type: ['user'] } };
        expect(await linesOf([nobody, USERS], 'warning')).toContainEqual(
          expect.stringContaining('blanks alone: "User" (2)'),
        );
        await run('DELETE FROM attachments');
      });

      it.each<[string, TableConfig['where'], RegExp]>([
        ['a column that is not there', { kind: ['User'] }, /has no column "kind".*where/],
        [
          'a value that does not fit',
          { no: ['many'] },
          /where: "no" is .*, which cannot hold "many"/,
        ],
        ['NULL where there is none', { no: [null] }, /where: "no" is never NULL/],
      ])('is refused with %s', async (_, where, message) => {
        const lines = await linesOf([{ ...OF('User'), where: where ?? {} }, USERS], 'problem');
        expect(lines).toEqual([expect.stringMatching(message)]);
      });

      it('is refused with a date, which has many spellings, but not with NULL instead of one', async () => {
        const active = (value: string | null) => ({ ...USERS, where: { made_at: [value] } });
        // A date is a text to SQLite.
        if (connector !== 'sqlite')
          expect(await linesOf([active('2026-01-01')], 'problem')).toEqual([
            expect.stringMatching(/"made_at" is timestamp.*cannot hold "2026-01-01"/),
          ]);
        expect(await linesOf([active(null)], 'problem')).toEqual([]);
      });

      it('counts rows that no entry covers', async () => {
        await run(`INSERT INTO attachments VALUES (1, 'User', 1, 1), (2, 'Order', 1, 1),
          (3, 'Invoice', 1, 1), (4, 'Invoice', 2, 1), (5, NULL, 1, 1)`);
        const lines = await linesOf([OF('User'), OF('Order'), USERS], 'note');
        expect(lines).toContainEqual(
          expect.stringMatching(
            /^note attachments: has 3 rows with other values of "record_type".*Invoice \(2\)/,
          ),
        );
        await run("DELETE FROM attachments WHERE record_type = 'Invoice' OR record_type IS NULL");
        const others = await linesOf([OF('User'), OF('Order'), USERS], 'note');
        expect(others.filter((line) => line.includes('other values'))).toEqual([]);
      });

      it('counts exactly, even if the database treats values as equal', async () => {
        const values = ['User', 'user', 'USER ', 'Üser', 'Team', ''];
        await run(
          `INSERT INTO kinds VALUES ${values.map((it, at) => `(${at}, '${it}', 1)`).join(', ')}, (9, NULL, 1)`,
        );
        const entry = table('kinds', via('users', { record_id: 'id' }));
        const list = [{ ...entry, where: { kind: ['User'] } }, USERS];
        expect(await linesOf(list, 'note')).toContainEqual(
          expect.stringMatching(/^note kinds: has 6 rows with other values of "kind"/),
        );
        const [line, ...more] = (await linesOf(list, 'warning')).filter((it) =>
          it.includes('"kind"'),
        );
        expect(more).toEqual([]);
        for (const shown of ['"user" (1)', '"USER " (1)', '"Üser" (1)'])
          expect(line).toContain(shown);
        expect(line).not.toContain('Team');
      });

      it('does not show values that could be a person’s', async () => {
        await run("INSERT INTO attachments VALUES (6, 'User', 1, 1), (7, 'eve@x.org', 1, 1)");
        const lines = await linesOf([OF('User'), USERS], 'note');
        expect(lines).toContainEqual(expect.stringMatching(/has \d+ rows with other values/));
        expect(lines.join()).not.toContain('eve@');
        await run('DELETE FROM attachments');
      });

      it('accepts an index that begins with it', async () => {
        const isSlow = async () =>
          (await linesOf([OF('User'), USERS], 'warning')).some((line) =>
            line.includes('attachments: no index serves'),
          );
        expect(await isSlow()).toBe(true);
        await run('CREATE INDEX by_record ON attachments (record_type, record_id)');
        expect(await isSlow()).toBe(false);
      });
    });

    describe('match', () => {
      const json: MatchConfig = { type: 'email', column: 'data', path: ['contact', 'email'] };
      const id: MatchConfig = { type: 'controller_customer_id', column: 'data', path: ['id'] };
      const trimmed: MatchConfig = { type: 'email', column: 'mail', trim: true };
      beforeEach(() => run('DELETE FROM profiles'));

      it('is reported with the place', async () => {
        expect(await linesOf([PROFILES(json, trimmed)], 'ok')).toContainEqual(
          expect.stringContaining(
            'found by email in data $.contact.email and email in mail, ignoring blanks around it',
          ),
        );
      });

      it.runIf(connector === 'postgres')('wants a column of JSON', async () => {
        expect(await linesOf([PROFILES({ ...json, column: 'plain' })], 'problem')).toEqual([
          expect.stringMatching(
            /"plain" is text, which holds no JSON for the path \$\.contact\.email; make it one: ALTER TABLE profiles ALTER COLUMN plain TYPE jsonb USING plain::jsonb/,
          ),
        ]);
        expect(await linesOf([PROFILES({ type: 'email', column: 'data' })], 'problem')).toEqual([
          expect.stringMatching(/name the place in its JSON: \{ column: data, path: "\$\.…" \}/),
        ]);
      });

      it.runIf(connector !== 'sqlite')('wants a text to trim', async () => {
        const match: MatchConfig = { type: 'controller_customer_id', column: 'no', trim: true };
        expect(await linesOf([PROFILES(match)], 'problem')).toEqual([
          expect.stringMatching(
            /"no" is .*, which has no blanks around its values; leave "trim" out/,
          ),
        ]);
      });

      it('does not count blanks if they are ignored, or around a document', async () => {
        await run(
          `INSERT INTO profiles (id, data, mail) VALUES (1, ' {"contact": {"email": " a@b.c"}} ', ' a@b.c ')`,
        );
        const blanks = async (...match: MatchConfig[]) =>
          (await linesOf([PROFILES(...match)])).filter((line) =>
            line.includes('blanks around it in'),
          );
        expect(await blanks({ type: 'email', column: 'mail' })).toHaveLength(1);
        expect(await blanks(json, trimmed)).toEqual([]);
      });

      it.runIf(connector !== 'postgres')('counts documents that cannot be read', async () => {
        await run(
          `INSERT INTO profiles VALUES (1, '{}', NULL, NULL, 1), (2, '{', NULL, NULL, 1), (3, NULL, NULL, NULL, 1)`,
        );
        expect(await linesOf([PROFILES(json)], 'warning')).toContainEqual(
          expect.stringMatching(/^warning profiles: 1 row has no JSON in "data" that can be read/),
        );
      });

      it('says which index to add, and passes once it exists', async () => {
        const advised = async (match: MatchConfig) =>
          (await linesOf([PROFILES(match)], 'warning')).flatMap((line) => {
            const [, statement] =
              /no index serves looking for rows by .*, so .* add: (.*)$/.exec(line) ?? [];
            return statement === undefined ? [] : [statement];
          });
        for (const match of [json, id, trimmed]) {
          const [statement = '', ...more] = await advised(match);
          expect(more).toEqual([]);
          if (connector === 'mysql') {
            expect(statement).toMatch(match.trim ? /take the blanks away/ : /ADD COLUMN data_\w+/);
            const [, alter] = /\((ALTER TABLE .*)\), and match/.exec(statement) ?? [];
            if (alter !== undefined) await run(alter);
          } else {
            await run(statement);
            expect(await advised(match)).toEqual([]);
          }
        }
      });
    });
  },
);
