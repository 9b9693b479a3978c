// A row without a tenant of its own has that of the row to which it refers, over any number of steps, and never that of
// another one.
import { describe, expect, it } from 'vitest';
import type {
  LeadConfig,
  SqlTargetConfig,
  TableConfig,
} from '../../../../src/domain/target/target.ts';
import {
  ACME,
  aSubject,
  aTable,
  email,
  GLOBEX,
  isFound,
  passThrough,
  tablesWork,
  toOrder,
} from '../sql-target.ts';
import { eraseWhole, JANE, JOE, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const BY_ACCOUNT: Partial<SqlTargetConfig> = {
  tenancy: { way: 'column', column: 'account_id', values: { acme: '1', globex: '2' } },
};
const jane = (controllerId = ACME) => aSubject(1, [email(JANE)], controllerId);
const HELD = { outcome: 'held', reason: 'tenant_mismatch' };

const ATTENDEES = aTable('attendees', {
  match: { email: 'email' },
  tenant: [via('bookings', { booking_id: 'id' })],
});
const BOOKINGS: LeadConfig = {
  table: 'bookings',
  tenantColumn: null,
  tenant: [via('event_types', { event_type_id: 'id' })],
};
const EVENT_TYPES: LeadConfig = { table: 'event_types', tenantColumn: 'team_id' };

await onEverySqlDatabase('tenants by reference', (target) => {
  const { query, ids } = target;
  const withLeads = (
    tables: readonly TableConfig[],
    leads: readonly LeadConfig[] = [BOOKINGS, EVENT_TYPES],
    more: Partial<SqlTargetConfig> = {},
  ) => ({ ...BY_ACCOUNT, work: tablesWork(tables, { leads }), ...more });
  const open = (
    tables: readonly TableConfig[],
    leads?: readonly LeadConfig[],
    beforeChange?: () => Promise<void>,
  ) => target.open(tables, withLeads(tables, leads), beforeChange);

  const fill = () =>
    query(`
      CREATE TABLE event_types (id INTEGER PRIMARY KEY, team_id INTEGER);
      CREATE TABLE bookings (id INTEGER PRIMARY KEY, event_type_id INTEGER);
      CREATE TABLE attendees (id INTEGER PRIMARY KEY, booking_id INTEGER, email VARCHAR(200));
      INSERT INTO event_types VALUES (1, 1), (2, 2), (3, NULL);
      INSERT INTO bookings VALUES (11, 1), (12, 2), (13, 3), (14, NULL), (15, 99);
      INSERT INTO attendees VALUES
        (101, 11, '${JANE}'), (102, 12, '${JANE}'), (103, 13, '${JANE}'), (104, 14, '${JANE}'),
        (105, 15, '${JANE}'), (106, NULL, '${JANE}'), (107, 98, '${JANE}'), (108, 11, '${JOE}')`);

  it('over two steps: NULL, and a reference that leads nowhere, are of nobody', async () => {
    await fill();
    const { erasures } = await eraseWhole(open([ATTENDEES]), jane());
    expect(erasures).toEqual([{ outcome: 'erased', counts: { attendees: 1 } }]);
    expect(await ids('attendees')).toEqual([102, 103, 104, 105, 106, 107, 108]);
    await eraseWhole(open([ATTENDEES]), jane(GLOBEX));
    expect(await ids('attendees')).toEqual([103, 104, 105, 106, 107, 108]);
    expect(await ids('bookings')).toEqual([11, 12, 13, 14, 15]);
  });

  it('requests of several controllers in one batch have their own rows', async () => {
    await fill();
    const subjects = [jane(), aSubject(2, [email(JANE)], GLOBEX), aSubject(3, [email(JOE)])];
    const { erasures } = await passThrough(open([ATTENDEES]), subjects);
    expect(erasures.map((one) => one.outcome === 'erased' && one.counts)).toEqual(
      Array(3).fill({ attendees: 1 }),
    );
    expect(await ids('attendees')).toEqual([103, 104, 105, 106, 107]);
  });

  it("a view may lead: the organisation of a team, or of the team's parent", async () => {
    await query(`
      CREATE TABLE teams (id INTEGER PRIMARY KEY, parent_id INTEGER);
      CREATE VIEW organisations AS SELECT id, COALESCE(parent_id, id) AS account_id FROM teams;
      CREATE TABLE members (id INTEGER PRIMARY KEY, team_id INTEGER, email VARCHAR(200));
      INSERT INTO teams VALUES (1, NULL), (2, NULL), (3, 1), (4, 2);
      INSERT INTO members VALUES (11, 1, '${JANE}'), (12, 2, '${JANE}'), (13, 3, '${JANE}'), (14, 4, '${JANE}')`);
    const members = aTable('members', {
      match: { email: 'email' },
      tenant: [via('organisations', { team_id: 'id' })],
    });
    await eraseWhole(open([members], [{ table: 'organisations', tenantColumn: null }]), jane());
    expect(await ids('members')).toEqual([12, 14]);
  });

  it('only where the tenant column is NULL', async () => {
    await query(`
      CREATE TABLE accounts (id INTEGER PRIMARY KEY, owner INTEGER);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, account_id INTEGER, of INTEGER, email VARCHAR(200));
      INSERT INTO accounts VALUES (7, 1), (8, 2);
      INSERT INTO notes VALUES (11, 1, 8, '${JANE}'), (12, 2, 7, '${JANE}'), (13, NULL, 7, '${JANE}'),
        (14, NULL, 8, '${JANE}'), (15, NULL, NULL, '${JANE}')`);
    const notes = aTable('notes', {
      match: { email: 'email' },
      tenant: [via('accounts', { of: 'id' })],
    });
    const leads = [{ table: 'accounts', tenantColumn: 'owner' }];
    await eraseWhole(open([notes], leads), jane());
    expect(await ids('notes')).toEqual([12, 14, 15]);
  });

  describe('by two references', () => {
    const EVENTS = aTable('events', {
      match: { email: 'email' },
      tenant: [via('teams', { team_id: 'id' }), via('users', { user_id: 'id' })],
    });
    const LEADS = ['teams', 'users'].map((table) => ({ table, tenantColumn: null }));
    const events = (rows: string) =>
      query(`
        CREATE TABLE teams (id INTEGER PRIMARY KEY, account_id INTEGER);
        CREATE TABLE users (id INTEGER PRIMARY KEY, account_id INTEGER);
        CREATE TABLE events (id INTEGER PRIMARY KEY, team_id INTEGER, user_id INTEGER, email VARCHAR(200));
        INSERT INTO teams VALUES (1, 1), (2, 2);
        INSERT INTO users VALUES (1, 1), (2, 2);
        INSERT INTO events VALUES ${rows}`);

    it('NULL does not count beside another one, and two may agree', async () => {
      await events(`(11, 1, NULL, '${JANE}'), (12, NULL, 1, '${JANE}'), (13, 1, 1, '${JANE}'),
        (14, 2, 2, '${JANE}'), (15, NULL, 2, '${JANE}'), (16, 99, 2, '${JOE}')`);
      await eraseWhole(open([EVENTS], LEADS), jane());
      expect(await ids('events')).toEqual([14, 15, 16]);
    });

    it.each([
      ['another tenant', '1, 2'],
      ['nowhere', '1, 99'],
    ])('one that leads to %s holds the request', async (_, references) => {
      await events(`(11, ${references}, '${JANE}'), (12, 1, NULL, '${JOE}')`);
      const connector = open([EVENTS], LEADS);
      const previews = await connector.preview([jane(), aSubject(2, [email(JOE)])]);
      expect(previews).toMatchObject([HELD, { outcome: 'found' }]);
    });
  });

  it('several rows with the value must all be of the tenant', async () => {
    await query(`
      CREATE TABLE memberships (id INTEGER PRIMARY KEY, user_id INTEGER, account_id INTEGER);
      CREATE TABLE devices (id INTEGER PRIMARY KEY, user_id INTEGER, email VARCHAR(200));
      INSERT INTO memberships VALUES (1, 7, 1), (2, 7, 1), (3, 8, 1), (4, 8, 2);
      INSERT INTO devices VALUES (11, 7, '${JANE}'), (12, 8, '${JOE}')`);
    const devices = aTable('devices', {
      match: { email: 'email' },
      tenant: [via('memberships', { user_id: 'user_id' })],
    });
    const connector = open([devices], [{ table: 'memberships', tenantColumn: null }]);
    await eraseWhole(connector, jane());
    expect(await ids('devices')).toEqual([12]);
    expect(await previewOf(connector, aSubject(2, [email(JOE)]))).toMatchObject(HELD);
  });

  describe('below users of all tenants', () => {
    const TEAM_MEMBERS = aTable('team_members', {
      via: [via('users', { user_id: 'id' })],
      tenant: [via('teams', { team_id: 'id' })],
    });
    const USERS = aTable('users', {
      match: { email: 'email' },
      tenancy: 'none',
      action: { kind: 'retain', reason: 'of all tenants' },
    });
    const TEAMS = [{ table: 'teams', tenantColumn: null }];
    const members = (rows: string) =>
      query(`
        CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE teams (id INTEGER PRIMARY KEY, account_id INTEGER);
        CREATE TABLE team_members (id INTEGER PRIMARY KEY, team_id INTEGER, user_id INTEGER);
        INSERT INTO users VALUES (1, '${JANE}'), (2, '${JOE}');
        INSERT INTO teams VALUES (1, 1), (2, 2);
        INSERT INTO team_members VALUES ${rows}`);

    it("rows of the controller's teams go, those of others stay", async () => {
      await members('(11, 1, 1), (12, 2, 1), (13, 1, 2)');
      await eraseWhole(open([TEAM_MEMBERS, USERS], TEAMS), jane());
      expect(await ids('team_members')).toEqual([12, 13]);
    });

    it('a row without a team holds the request, as one without a tenant does', async () => {
      await members('(11, 1, 1), (12, NULL, 1)');
      expect(await previewOf(open([TEAM_MEMBERS, USERS], TEAMS), jane())).toMatchObject(HELD);
    });
  });

  describe('through rows that are erased too', () => {
    const OWN = [
      aTable('attendees', {
        match: { email: 'email' },
        via: [via('bookings', { booking_id: 'id' })],
        tenant: [via('bookings', { booking_id: 'id' })],
        shared: 'erase',
      }),
      aTable('bookings', {
        match: { email: 'email' },
        tenant: [via('event_types', { event_type_id: 'id' })],
      }),
    ];
    const bookings = () =>
      query(`
        CREATE TABLE event_types (id INTEGER PRIMARY KEY, team_id INTEGER);
        CREATE TABLE bookings (id INTEGER PRIMARY KEY, event_type_id INTEGER, email VARCHAR(200));
        CREATE TABLE attendees (id INTEGER PRIMARY KEY, booking_id INTEGER, email VARCHAR(200));
        INSERT INTO event_types VALUES (1, 1), (2, 2);
        INSERT INTO bookings VALUES (11, 1, '${JANE}'), (12, 2, '${JANE}'), (13, 1, '${JOE}');
        INSERT INTO attendees VALUES (101, 11, '${JANE}'), (102, 12, '${JANE}'), (103, 13, '${JANE}'), (104, 11, '${JOE}')`);

    it('children and parents go together', async () => {
      await bookings();
      await eraseWhole(open(OWN, [EVENT_TYPES]), jane());
      expect(await ids('bookings')).toEqual([12, 13]);
      expect(await ids('attendees')).toEqual([102]);
    });

    it('what still refers to a row that was deleted is found in the second look', async () => {
      await bookings();
      const connector = open(OWN, [EVENT_TYPES]);
      const order = toOrder(jane(), await previewOf(connector, jane()));
      await connector.erase([order]);
      await query(`INSERT INTO attendees VALUES (105, 11, '${JANE}')`);
      // No other attempt would find it.
      expect(await connector.verify([order])).toMatchObject([
        { outcome: 'held', reason: 'orphaned' },
      ]);
    });

    it("the plan is refused where other people's rows would lose their tenant with it", async () => {
      await bookings();
      const [, one] = OWN;
      const tables = [ATTENDEES, ...(one === undefined ? [] : [one])];
      await expect(previewOf(open(tables, [EVENT_TYPES]), jane())).rejects.toMatchObject({
        code: 'target_refused',
        message: expect.stringContaining('lose their tenant'),
      });
    });
  });

  describe('that change after the preview', () => {
    it.each([
      ['a row refers to another lead', 'UPDATE attendees SET booking_id = 12 WHERE id = 101'],
      ['a lead refers to another one', 'UPDATE bookings SET event_type_id = 2 WHERE id = 11'],
      ['a lead has another tenant', 'UPDATE event_types SET team_id = 2 WHERE id = 1'],
      ['a lead has none any more', 'UPDATE event_types SET team_id = NULL WHERE id = 1'],
      ['a lead is gone', 'DELETE FROM bookings WHERE id = 11'],
    ])('%s: the row is left', async (_, change) => {
      await fill();
      const connector = open([ATTENDEES]);
      const order = toOrder(jane(), await previewOf(connector, jane()));
      await query(change);
      expect(await connector.erase([order])).toMatchObject([{ outcome: 'erased', counts: {} }]);
      expect(await ids('attendees')).toContain(101);
    });
  });

  it('text and number are compared as in "via"', async () => {
    await query(`
      CREATE TABLE teams (id INTEGER PRIMARY KEY, account_id VARCHAR(20));
      CREATE TABLE members (id INTEGER PRIMARY KEY, team VARCHAR(20), email VARCHAR(200));
      INSERT INTO teams VALUES (1, '1'), (2, '2'), (3, '01');
      INSERT INTO members VALUES (11, '1', '${JANE}'), (12, '2', '${JANE}'), (14, '3', '${JANE}'),
        (15, '01', '${JOE}')`);
    const members = aTable('members', {
      match: { email: 'email' },
      tenant: [via('teams', { team: 'id' })],
    });
    const connector = open([members], [{ table: 'teams', tenantColumn: null }]);
    await eraseWhole(connector, jane());
    expect(await ids('members')).toEqual([12, 14, 15]);
    expect(await previewOf(connector, aSubject(2, [email(JOE)]))).toMatchObject({
      outcome: 'held',
      reason: 'ambiguous_reference',
    });
  });

  it('a tenant that is in no lead is unknown', async () => {
    await fill();
    const connector = target.open(
      [ATTENDEES],
      withLeads([ATTENDEES], undefined, {
        tenancy: { way: 'column', column: 'account_id', values: { acme: '77', globex: '2' } },
      }),
    );
    expect(await previewOf(connector, jane())).toMatchObject({ unknownTenant: '77' });
    const joe = aSubject(2, [email(JOE)], GLOBEX);
    expect(isFound(await previewOf(connector, joe)).unknownTenant).toBeUndefined();
  });

  it.each([
    ['is not there', [], 'bookings'],
    ['knows no tenant', [{ table: 'bookings', tenantColumn: null }], 'no column account_id'],
    [
      'names a column that is not there',
      [{ ...BOOKINGS, tenantColumn: 'team' }, EVENT_TYPES],
      'team',
    ],
  ])('a lead that %s is refused', async (_, leads: LeadConfig[], message) => {
    await fill();
    await expect(previewOf(open([ATTENDEES], leads), jane())).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it('the check says what leads to what, and finds nothing wrong', async () => {
    await fill();
    const lines = await open([ATTENDEES]).check?.();
    const problems = (lines ?? []).filter(({ level }) => level === 'problem');
    expect(problems).toEqual([]);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ok', subject: 'bookings' }));
  });
});
