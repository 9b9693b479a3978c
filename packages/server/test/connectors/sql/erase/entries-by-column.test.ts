// Entries of one table that overwrite different columns may have the same rows: each column has its own people.
import { describe, expect, it } from 'vitest';
import type {
  Overwrite,
  SqlTargetConfig,
  TableConfig,
} from '../../../../src/domain/target/target.ts';
import { aSubject, aTable, email, GLOBEX, GONE, isFound, passThrough } from '../sql-target.ts';
import {
  eraseWhole,
  JANE,
  JOE,
  jane,
  onEverySqlDatabase,
  passOrRefuse,
  previewOf,
  via,
} from '../use-sql-target.ts';

const NOTHING: Overwrite = { kind: 'null' };
const overwrite = (columns: Readonly<Record<string, Overwrite>>): TableConfig['action'] => ({
  kind: 'overwrite',
  columns,
});
const joe = (taskNo = 2) => aSubject(taskNo, [email(JOE)]);

const USERS = aTable('users', { match: { email: 'email' } });
const HOSTED = aTable('bookings', {
  name: 'bookings (title, host_email)',
  via: [via('users', { user_id: 'id' })],
  action: overwrite({ title: { kind: 'value', value: 'erased' }, host_email: NOTHING }),
});
const CANCELLED = aTable('bookings', {
  name: 'bookings (cancelled_by)',
  match: { email: 'cancelled_by' },
  action: overwrite({ cancelled_by: NOTHING }),
});
const PLAN = [HOSTED, CANCELLED];
const OF_USERS = { ...USERS, action: { kind: 'retain', reason: 'the account stays' } as const };

await onEverySqlDatabase('entries by column', ({ query, open, ids, connector: kind }) => {
  /** Jane is user 1 and Joe user 2. */
  const fill = (more = '') =>
    query(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE bookings (id INTEGER PRIMARY KEY, user_id INTEGER, title VARCHAR(80),
        host_email VARCHAR(80), cancelled_by VARCHAR(80)${more});
      INSERT INTO users VALUES (1, '${JANE}'), (2, '${JOE}');
      INSERT INTO bookings (id, user_id, title, host_email, cancelled_by) VALUES
        (1, 1, 'one', '${JANE}', NULL), (2, 1, 'two', '${JANE}', '${JANE}'),
        (3, 1, 'three', '${JANE}', '${JOE}'), (4, 2, 'four', '${JOE}', '${JANE}'),
        (5, 2, 'five', '${JOE}', '${JOE}')`);
  const rows = async () =>
    (await query('SELECT id, title, host_email, cancelled_by FROM bookings ORDER BY id')).map(
      ({ id, title, host_email: host, cancelled_by: by }) =>
        [id, title, host, by].map((value) => (value === null ? '-' : String(value))).join(' '),
    );
  const AFTER_JANE = [
    '1 erased - -',
    '2 erased - -',
    `3 erased - ${JOE}`,
    `4 four ${JOE} -`,
    `5 five ${JOE} ${JOE}`,
  ];

  it('lose each column of its own person, and a row of both counts once', async () => {
    await fill();
    const connector = open([...PLAN, OF_USERS]);
    const { previews, erasures } = await eraseWhole(connector);
    const counts = { 'bookings (title, host_email)': 3, 'bookings (cancelled_by)': 1 };
    expect(isFound(previews[0]).counts).toEqual(counts);
    expect(erasures).toMatchObject([{ outcome: 'erased', counts }]);
    expect(await rows()).toEqual(AFTER_JANE);
    const { erasures: again } = await eraseWhole(connector);
    expect(again).toMatchObject([{ outcome: 'erased', counts: {} }]);
  });

  it('are not shared with the people of the other columns', async () => {
    await fill();
    const connector = open([...PLAN, OF_USERS]);
    const { verdicts } = await passThrough(connector, [jane(), joe()]);
    expect(verdicts).toEqual([GONE, GONE]);
    expect(await rows()).toEqual([1, 2, 3, 4, 5].map((id) => `${id} erased - -`));
  });

  it('change a row of both by one statement', async () => {
    await fill(`,
      CHECK (title <> 'erased' OR cancelled_by IS NULL OR cancelled_by <> '${JANE}')`);
    await eraseWhole(open([...PLAN, OF_USERS]));
    expect(await rows()).toEqual(AFTER_JANE);
  });

  it('find again what one of them has lost alone', async () => {
    await fill();
    await eraseWhole(open([HOSTED, OF_USERS]));
    const { erasures } = await eraseWhole(open([...PLAN, OF_USERS]));
    expect(erasures).toMatchObject([{ counts: { 'bookings (cancelled_by)': 2 } }]);
    expect(await rows()).toEqual(AFTER_JANE);
  });

  it('are found by the verification, each for itself', async () => {
    await fill();
    const connector = open([...PLAN, OF_USERS]);
    const { orders } = await passThrough(connector, [jane()]);
    await query(`UPDATE bookings SET cancelled_by = '${JANE}' WHERE id = 3`);
    expect(await connector.verify(orders)).toEqual([
      { outcome: 'remains', counts: { 'bookings (cancelled_by)': 1 } },
    ]);
  });

  it('write the time into each column', async () => {
    const type = kind === 'postgres' ? 'TIMESTAMP(3)' : 'DATETIME(3)';
    await fill(`, hosted_until ${type}, cancelled_until ${type}`);
    const timed = (entry: TableConfig, column: string): TableConfig =>
      entry.action.kind === 'overwrite'
        ? { ...entry, action: overwrite({ ...entry.action.columns, [column]: { kind: 'now' } }) }
        : entry;
    const plan = [timed(HOSTED, 'hosted_until'), timed(CANCELLED, 'cancelled_until'), OF_USERS];
    await eraseWhole(open(plan));
    const written = await query(`SELECT id FROM bookings
      WHERE hosted_until IS NOT NULL AND cancelled_until IS NOT NULL ORDER BY id`);
    expect(written.map(({ id }) => Number(id))).toEqual([2]);
    expect(await rows()).toEqual(AFTER_JANE);
  });

  it('let foreign keys follow a row of both once', async () => {
    await query(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE bookings (id INTEGER PRIMARY KEY, user_id INTEGER, code VARCHAR(80) NOT NULL,
        cancelled_by VARCHAR(80), UNIQUE (code, cancelled_by));
      CREATE TABLE notes (id INTEGER PRIMARY KEY, code VARCHAR(80), cancelled_by VARCHAR(80),
        FOREIGN KEY (code, cancelled_by) REFERENCES bookings (code, cancelled_by) ON UPDATE CASCADE);
      INSERT INTO users VALUES (1, '${JANE}');
      INSERT INTO bookings VALUES (1, 1, 'a', '${JANE}'), (2, 1, 'b', 'other');
      INSERT INTO notes VALUES (11, 'a', '${JANE}'), (12, 'b', 'other')`);
    const unique: Overwrite = { kind: 'unique', text: '{random}' };
    const tables = [
      { ...HOSTED, name: 'bookings (code)', action: overwrite({ code: unique }) },
      { ...CANCELLED, action: overwrite({ cancelled_by: unique }) },
      OF_USERS,
    ];
    const work = { kind: 'tables', tables, cascades: ['notes'], triggers: [] } as const;
    const { erasures } = await eraseWhole(open(tables, { work }));
    expect(erasures).toMatchObject([{ counts: { 'bookings (code)': 2 } }]);
    const left = await query(`SELECT id FROM notes WHERE code IN ('a', 'b')`);
    expect(left).toEqual([]);
  });

  describe('with rows that refer to them', () => {
    const NOTES = aTable('notes', {
      via: [{ ...via('bookings', { booking_id: 'id' }), entries: [HOSTED.name ?? ''] }],
    });

    it('lead by the entry that is named', async () => {
      await fill();
      await query(`CREATE TABLE notes (id INTEGER PRIMARY KEY, booking_id INTEGER);
        INSERT INTO notes VALUES (11, 1), (12, 2), (13, 3), (14, 4), (15, 5)`);
      await eraseWhole(open([NOTES, ...PLAN, OF_USERS]));
      expect(await ids('notes')).toEqual([14, 15]);
      expect(await rows()).toEqual(AFTER_JANE);
    });

    it('belong to others too where the named entry says so', async () => {
      await fill(', room INTEGER DEFAULT 7');
      // Room 7 has bookings of both; Jane has cancelled one of Joe's.
      await query(`CREATE TABLE rooms (id INTEGER PRIMARY KEY); INSERT INTO rooms VALUES (7)`);
      const rooms = aTable('rooms', {
        via: [{ ...via('bookings', { id: 'room' }), entries: [HOSTED.name ?? ''] }],
      });
      await query(`UPDATE bookings SET cancelled_by = '${JANE}' WHERE id = 5`);
      expect(await previewOf(open([rooms, ...PLAN, OF_USERS]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
      });
    });
  });

  describe('of several tenants', () => {
    const BY_ACCOUNT: Partial<SqlTargetConfig> = {
      tenancy: { way: 'column', column: 'account', values: { acme: '1', globex: '2' } },
    };
    const users = { ...OF_USERS, tenancy: 'none' as const };

    it('lose columns in rows of their own tenant alone', async () => {
      await fill(', account INTEGER DEFAULT 1');
      await query('UPDATE bookings SET account = 2 WHERE id IN (2, 4)');
      const connector = open([...PLAN, users], BY_ACCOUNT);
      await eraseWhole(connector);
      expect(await rows()).toEqual([
        '1 erased - -',
        `2 two ${JANE} ${JANE}`,
        `3 erased - ${JOE}`,
        `4 four ${JOE} ${JANE}`,
        `5 five ${JOE} ${JOE}`,
      ]);
      await eraseWhole(connector, aSubject(3, [email(JANE)], GLOBEX));
      expect(await rows()).toEqual(AFTER_JANE);
    });

    it('are refused where a row does not say its tenant itself', async () => {
      await fill();
      await query('ALTER TABLE users ADD COLUMN account INTEGER');
      const other = { ...CANCELLED, match: [], via: [via('users', { id: 'id' })] };
      expect(await passOrRefuse(open([HOSTED, other, USERS], BY_ACCOUNT), jane())).toMatchObject({
        message: expect.stringContaining('must say itself which tenant it is of'),
      });
    });
  });

  it('need a key', async () => {
    await query(`CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE bookings (user_id INTEGER, title VARCHAR(80), host_email VARCHAR(80),
        cancelled_by VARCHAR(80))`);
    expect(await passOrRefuse(open([...PLAN, OF_USERS]), jane())).toMatchObject({
      code: expect.stringMatching(/plan_misfit|target_refused/),
    });
  });
});
