import { afterEach, describe, expect, it } from 'vitest';
import { canonicalUuid } from '../../../../src/connectors/sql/canonical-value.ts';
import type { Connector } from '../../../../src/domain/target/connector.ts';
import { hasMysql } from '../../../helpers/databases/fresh-mariadb.ts';
import { inMatrix } from '../../../helpers/databases/matrix.ts';
import { HAZARD_COLUMNS, HAZARDS, type HazardColumn, NEIGHBOURS } from '../hazards.ts';
import { SQL_DATABASES, type SqlTestDatabase } from '../sql-databases.ts';
import {
  aSubject,
  aTable,
  aTarget,
  connect,
  customerId,
  email,
  isFound,
  passThrough,
  tablesWork,
} from '../sql-target.ts';

const isMysql = await hasMysql();
/** Types and collations that MySQL does not have. */
const OF_MARIADB = /^uuid$|_nopad_bin$/;

const foldAscii = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

for (const kind of inMatrix('identities in', SQL_DATABASES)) {
  describe.skipIf(!(await kind.isThere()))(`identities in ${kind.name}`, () => {
    let database: SqlTestDatabase;
    let connector: Connector | undefined;
    afterEach(async () => {
      await connector?.close();
      await database.close();
    });

    const asText = { postgres: 'v::text', mysql: 'CAST(v AS CHAR)', sqlite: 'CAST(v AS TEXT)' };
    const place = (n: number) => (kind.connector === 'postgres' ? `$${n}` : '?');

    async function fill(column: HazardColumn): Promise<Map<number, string>> {
      database = await kind.open();
      if (column.before !== undefined) await database.query(column.before);
      await database.query(`CREATE TABLE people (id INTEGER PRIMARY KEY, v ${column.type})`);
      if (column.behind !== undefined) await database.query(column.behind);
      const values: unknown[] = [...HAZARDS, ...NEIGHBOURS];
      if (kind.connector === 'sqlite') values.push(12, 123n, 1.5, new Uint8Array([49, 50]));
      // What the column does not take is not there; many are tried at once, and one by one where one is not taken.
      const insert = async (some: readonly (readonly [number, unknown])[]): Promise<void> => {
        const rows = some.map((_, n) => `(${place(2 * n + 1)}, ${place(2 * n + 2)})`);
        const inserted = database.query(
          `INSERT INTO people VALUES ${rows.join(', ')}`,
          some.flat(),
        );
        if (
          await inserted.then(
            () => true,
            () => some.length === 1,
          )
        )
          return;
        const half = Math.ceil(some.length / 2);
        await insert(some.slice(0, half));
        await insert(some.slice(half));
      };
      await insert([...values.entries()]);
      const rows = await database.query(
        `SELECT id, ${asText[kind.connector]} AS v FROM people ORDER BY id`,
      );
      return new Map(rows.map(({ id, v }) => [Number(id), String(v)]));
    }

    function open(match: Record<string, string>): Connector {
      const work = tablesWork([aTable('people', { match })]);
      connector = connect(aTarget(database, work));
      return connector;
    }

    async function foundBy(identities: readonly ReturnType<typeof email>[]): Promise<number[][]> {
      const subjects = identities.map((identity, n) => aSubject(n, [identity]));
      const previews = [];
      // One by one and together: neighbours in a batch must not matter.
      for (const subject of subjects)
        previews.push(...((await connector?.preview([subject])) ?? []));
      const together = (await connector?.preview(subjects)) ?? [];
      const keys = (all: typeof together) =>
        all.map((preview) => (isFound(preview).keys.people ?? []).map(([id]) => toNumber(id)));
      const alone = keys(previews);
      const shared = new Set(keys(together).flat());
      expect(shared).toEqual(new Set(alone.flat()));
      return alone;
    }

    const toNumber = (key: string | null | undefined) => Number(key?.replace('i:', ''));

    const columns: readonly HazardColumn[] = HAZARD_COLUMNS[kind.connector];
    const isThere = ({ type }: HazardColumn) =>
      kind.connector !== 'mysql' || !isMysql || !OF_MARIADB.test(type);
    for (const column of columns.filter(isThere)) {
      const name = [column.type || 'a column without a type', column.behind].filter(Boolean);
      it(`finds exactly the customer ids meant in ${name.join(', ')}`, async () => {
        const stored = await fill(column);
        open({ controller_customer_id: 'v' });
        const found = await foundBy(HAZARDS.map(customerId));
        const blob = kind.connector === 'sqlite' ? stored.size : -1;
        HAZARDS.forEach((value, n) => {
          // A UUID is itself however it is written.
          const text = column.type === 'uuid' ? (canonicalUuid(value) ?? value) : value;
          // And a number is also itself without the zeros that a column shows behind the point.
          const isNumber = /^(?:int|numeric|decimal|real)/i.test(column.type);
          const short = (held: string) =>
            isNumber && /^-?\d+\.\d+$/.test(held)
              ? held.replace(/0+$/, '').replace(/\.$/, '')
              : held;
          const meant = [...stored].filter(
            ([id, held]) => [held, short(held)].includes(text) && id !== blob - 1,
          );
          expect([value, found[n]?.toSorted((a, b) => a - b)]).toEqual([
            value,
            meant.map(([id]) => id),
          ]);
        });
      });

      if (!column.isText) continue;
      it(`finds exactly the emails meant in ${name.join(', ')}`, async () => {
        const stored = await fill(column);
        open({ email: 'v' });
        const found = await foundBy(HAZARDS.map(email));
        HAZARDS.forEach((value, n) => {
          const meant = [...stored].filter(([id, text]) => {
            const isBytes = kind.connector === 'sqlite' && id === stored.size - 1;
            return foldAscii(text) === foldAscii(value) && !isBytes;
          });
          expect([value, found[n]?.toSorted((a, b) => a - b)]).toEqual([
            value,
            meant.map(([id]) => id),
          ]);
        });
      });
    }

    it('erases by keys that the database would take for others', async () => {
      database = await kind.open();
      const type = { postgres: 'text', mysql: 'varchar(200)', sqlite: 'TEXT' }[kind.connector];
      await database.query(`CREATE TABLE people (v ${type} PRIMARY KEY, email VARCHAR(200))`);
      const keys = ['abc', 'jos\u00e9', 'stra\u00dfe', "o'b\\", '12abc', '012'];
      for (const key of keys)
        await database.query(`INSERT INTO people VALUES (${place(1)}, ${place(2)})`, [
          key,
          'a@b.c',
        ]);
      await database.query("INSERT INTO people VALUES ('xyz', 'other@b.c')");
      const { erasures, verdicts } = await passThrough(open({ email: 'email' }), [
        aSubject(1, [email('A@b.c')]),
      ]);
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: keys.length } }]);
      expect(verdicts[0]?.outcome).toBe('gone');
      expect(await database.query('SELECT v FROM people')).toEqual([{ v: 'xyz' }]);
    });

    it("distinguishes tenants exactly, whatever the column's collation", async () => {
      database = await kind.open();
      await database.query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, tenant VARCHAR(40), email VARCHAR(200));
        INSERT INTO people VALUES (1, 'acme', 'a@b.c'), (2, 'ACME', 'a@b.c'), (3, 'acme ', 'a@b.c'), (4, 'acm\u00e9', 'a@b.c'), (5, NULL, 'a@b.c')`);
      const work = tablesWork([aTable('people', { match: { email: 'email' } })]);
      // Values that MariaDB takes for the same as acme's, and that nobody has, would hold the request.
      const values = { big: 'ACME', padded: 'acme ', accented: 'acm\u00e9' };
      connector = connect(
        aTarget(database, work, { tenancy: { way: 'column', column: 'tenant', values } }),
      );
      await passThrough(connector, [aSubject(1, [email('a@b.c')])]);
      const left = await database.query('SELECT id FROM people ORDER BY id');
      expect(left.map(({ id }) => Number(id))).toEqual([2, 3, 4, 5]);
    });

    // SQLite's columns hold anything.
    it.skipIf(kind.connector === 'sqlite')(
      'refuses a tenant that the column cannot hold, rather than find nothing',
      async () => {
        database = await kind.open();
        await database.query(
          'CREATE TABLE people (id INTEGER PRIMARY KEY, tenant INTEGER, email VARCHAR(200))',
        );
        const work = tablesWork([aTable('people', { match: { email: 'email' } })]);
        connector = connect(
          aTarget(database, work, { tenancy: { way: 'column', column: 'tenant', values: {} } }),
        );
        const [preview] = await connector.preview([aSubject(1, [email('a@b.c')])]);
        expect(preview).toMatchObject({ outcome: 'failed', code: 'tenant_misfit' });
      },
    );
  });
}
