// Plans that chance makes, of entries that overwrite different columns of the same rows, against what each column's own
// people say.
import { expect, it } from 'vitest';
import type { Overwrite, TableConfig } from '../../../../src/domain/target/target.ts';
import { createDice, type Dice } from '../../../surgery/make/dice.ts';
import { ACME, aSubject, aTable, email, GLOBEX, passThrough } from '../sql-target.ts';
import { onEverySqlDatabase, via } from '../use-sql-target.ts';

const SEED = Number(process.env.UNWRITE_TEST_SURGERY_SEED ?? 1);
const CASES = Number(process.env.UNWRITE_TEST_SURGERY_CASES ?? 12);
const PEOPLE = ['jane@x.org', 'joe@x.org', 'ann@x.org'] as const;

interface Row {
  readonly id: number;
  readonly account: string;
  readonly state: number;
  readonly host: number | null;
  title: string | null;
  canceller: string | null;
  editor: string | null;
  reviewer: string | null;
}

interface Asked {
  readonly person: string;
  readonly account: string;
}

interface Way {
  readonly entry: TableConfig;
  /** Whose the row is by this entry. */
  of(row: Row): readonly (string | null)[];
}

const NOTHING: Overwrite = { kind: 'null' };
const emptied = (...columns: string[]): TableConfig['action'] => ({
  kind: 'overwrite',
  columns: Object.fromEntries(columns.map((column) => [column, NOTHING])),
});
const COLUMNS = ['title', 'canceller', 'editor', 'reviewer'] as const;
const columnsOf = ({ action }: TableConfig) =>
  COLUMNS.filter((column) => action.kind === 'overwrite' && column in action.columns);

function waysOf(dice: Dice): Way[] {
  const all: Way[] = [
    {
      entry: aTable('bookings', {
        via: [via('users', { host: 'id' })],
        action: emptied('title'),
      }),
      of: ({ host }) => [host === null ? null : (PEOPLE[host - 1] ?? null)],
    },
    {
      entry: aTable('bookings', { match: { email: 'canceller' }, action: emptied('canceller') }),
      of: ({ canceller }) => [canceller],
    },
    {
      entry: aTable('bookings', {
        match: ['editor', 'reviewer'].map((column) => ({ type: 'email', column }) as const),
        action: emptied('editor', 'reviewer'),
        shared: dice.one(['hold', 'erase'] as const),
      }),
      of: ({ editor, reviewer }) => [editor, reviewer],
    },
  ];
  const left = all.filter(() => dice.chance(0.75));
  return left.length > 1 ? left : all;
}

function rowsOf(dice: Dice): Row[] {
  const somebody = () => (dice.chance(0.25) ? null : dice.one(PEOPLE));
  return Array.from({ length: 10 }, (_, place) => ({
    id: place + 1,
    account: dice.one(['acme', 'globex']),
    state: dice.upTo(1),
    host: dice.chance(0.2) ? null : 1 + dice.upTo(2),
    title: 'a title',
    canceller: somebody(),
    editor: somebody(),
    reviewer: somebody(),
  }));
}

/** Who is held, and what is left of the rows when all others are erased. */
function expected(rows: readonly Row[], ways: readonly Way[], asked: readonly Asked[]) {
  const isTheirs = ({ of }: Way, row: Row, { person, account }: Asked) =>
    row.account === account && of(row).includes(person);
  const isShared = (way: Way, row: Row, { person }: Asked) =>
    way.entry.shared === 'hold' && way.of(row).some((one) => one !== null && one !== person);
  const held = asked.map((one) =>
    ways.some((way) => rows.some((row) => isTheirs(way, row, one) && isShared(way, row, one))),
  );
  const going = asked.filter((_, place) => !held[place]);
  const touched = asked.map(
    (one) => rows.filter((row) => ways.some((way) => isTheirs(way, row, one))).length,
  );
  const left = rows.map((row) => {
    const after = { ...row };
    for (const way of ways)
      if (going.some((one) => isTheirs(way, row, one)))
        for (const column of columnsOf(way.entry)) after[column] = null;
    return after;
  });
  return { held, touched, left };
}

await onEverySqlDatabase('columns of many people', ({ query, open, connector: kind }) => {
  it(`are erased as each column says: ${CASES} plans of seed ${SEED}`, async () => {
    await query(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE bookings (id INTEGER PRIMARY KEY, account VARCHAR(20), state INTEGER, host INTEGER,
        title VARCHAR(80), canceller VARCHAR(80), editor VARCHAR(80), reviewer VARCHAR(80));
      INSERT INTO users VALUES ${PEOPLE.map((person, at) => `(${at + 1}, '${person}')`).join(', ')}`);
    for (let caseNo = 0; caseNo < CASES; caseNo++) {
      const dice = createDice(SEED, caseNo);
      const rows = rowsOf(dice);
      const all = waysOf(dice);
      const where = dice.chance(0.3) ? { where: { state: [1] } } : {};
      const inside = rows.filter(({ state }) => !('where' in where) || state === 1);
      const asked = PEOPLE.filter(() => dice.chance(0.6)).map((person) => ({
        person,
        account: dice.one(['acme', 'globex']),
      }));
      const text = (value: string | number | null) =>
        typeof value === 'string' ? `'${value}'` : String(value);
      await query('DELETE FROM bookings');
      await query(
        `INSERT INTO bookings (${Object.keys(rows[0] ?? {}).join(', ')}) VALUES ${rows.map((row) => `(${Object.values(row).map(text).join(', ')})`).join(', ')}`,
      );
      const tables = all.map(({ entry }) => ({
        ...entry,
        ...where,
        name: `bookings (${columnsOf(entry).join(', ')})`,
      }));
      const target = open(
        [
          ...tables,
          aTable('users', {
            match: { email: 'email' },
            tenancy: 'none',
            action: { kind: 'retain', reason: 'the login stays' },
          }),
        ],
        { tenancy: { way: 'column', column: 'account', values: {} } },
      );
      const subjects = asked.map(({ person, account }, at) =>
        aSubject(at + 1, [email(person)], account === 'acme' ? ACME : GLOBEX),
      );
      const { held, touched, left } = expected(inside, all, asked);
      const { erasures, verdicts } = await passThrough(
        // Those who are held have nothing to verify.
        target,
        subjects.filter((_, at) => !held[at]),
      );
      const label = `${kind}, case ${caseNo} of seed ${SEED}`;
      expect(
        verdicts.map(({ outcome }) => outcome),
        label,
      ).toEqual(verdicts.map(() => 'gone'));
      for (const subject of subjects.filter((_, at) => held[at]))
        expect(await target.preview([subject]), label).toMatchObject([{ reason: 'shared' }]);
      await target.close();
      const now = await query('SELECT * FROM bookings ORDER BY id');
      const byId = new Map(left.map((row) => [row.id, row]));
      expect(
        now.map((row) => ({ ...row })),
        label,
      ).toEqual(rows.map((row) => ({ ...(byId.get(row.id) ?? row) })));
      if (subjects.length === 1 && !held[0]) {
        const [erasure] = erasures;
        const counts = erasure?.outcome === 'erased' ? Object.values(erasure.counts) : [];
        expect(
          counts.reduce((sum, count) => sum + count, 0),
          label,
        ).toBe(touched[0]);
      }
    }
  });
});
