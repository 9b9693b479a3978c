// Looking identities up in a table whose rows have the tenant of others.
import { describe, expect, it } from 'vitest';
import type {
  LeadConfig,
  ResolveConfig,
  SqlTargetConfig,
  TableConfig,
} from '../../../../src/domain/target/target.ts';
import { ACME, aSubject, aTable, customerId, email, GLOBEX, tablesWork } from '../sql-target.ts';
import { JANE, JOE, onEverySqlDatabase, passOrRefuse, via } from '../use-sql-target.ts';

const WORKSPACE = [via('workspaces', { workspace_id: 'id' })];
const CONTACTS: LeadConfig = { table: 'contacts', tenantColumn: null, tenant: WORKSPACE };
const WORKSPACES: LeadConfig = { table: 'workspaces', tenantColumn: null };
const LETTERS = aTable('letters', { match: { controller_customer_id: 'no' } });
const RESOLVE: ResolveConfig = {
  table: 'contacts',
  from: { type: 'email', column: 'email' },
  to: { type: 'controller_customer_id', column: 'no' },
  limit: 5,
};

await onEverySqlDatabase('looking up by the tenant of a reference', ({ query, open, ids }) => {
  const fill = () =>
    query(`
      CREATE TABLE workspaces (id INTEGER PRIMARY KEY, account VARCHAR(20));
      CREATE TABLE contacts (id INTEGER PRIMARY KEY, workspace_id INTEGER, email VARCHAR(80), no VARCHAR(20));
      CREATE TABLE letters (id INTEGER PRIMARY KEY, account VARCHAR(20), no VARCHAR(20));
      INSERT INTO workspaces VALUES (1, 'acme'), (2, 'acme'), (3, 'globex'), (4, NULL);
      INSERT INTO contacts VALUES (11, 1, '${JANE}', 'a1'), (12, 2, '${JANE}', 'a2'), (13, 3, '${JANE}', 'g3'),
        (14, 4, '${JANE}', 'n4'), (15, NULL, '${JANE}', 'n5'), (16, 99, '${JANE}', 'n6'), (17, 1, '${JOE}', 'j7');
      INSERT INTO letters VALUES (21, 'acme', 'a1'), (22, 'acme', 'a2'), (23, 'acme', 'g3'), (24, 'globex', 'g3'),
        (25, 'acme', 'n4'), (26, 'acme', 'j7')`);
  const connect = (
    tables: readonly TableConfig[] = [LETTERS],
    leads: readonly LeadConfig[] = [CONTACTS, WORKSPACES],
    changes: Partial<SqlTargetConfig> = {},
  ) =>
    open(tables, {
      tenancy: { way: 'column', column: 'account', values: {} },
      work: tablesWork(tables, { leads }),
      resolve: RESOLVE,
      ...changes,
    });
  const asked = (controller = ACME) => aSubject(1, [email(JANE)], controller);
  const found = async (connector = connect(), subject = asked()) => {
    const [answer] = (await connector.resolve?.([subject])) ?? [];
    return answer?.outcome === 'resolved'
      ? answer.identities.map((identity) => identity.reveal()).sort()
      : answer;
  };

  it('gives what rows of the own tenant say', async () => {
    await fill();
    expect(await found()).toEqual(['a1', 'a2']);
    expect(await found(connect(), asked(GLOBEX))).toEqual(['g3']);
  });

  it('takes the column where the row has one', async () => {
    await fill();
    await query('ALTER TABLE contacts ADD COLUMN account VARCHAR(20)');
    await query("UPDATE contacts SET account = 'globex' WHERE id = 12");
    expect(await found()).toEqual(['a1']);
  });

  it('goes over several steps, and by a table of the plan', async () => {
    await fill();
    await query(`CREATE TABLE projects (id INTEGER PRIMARY KEY, workspace INTEGER);
      INSERT INTO projects VALUES (1, 3), (2, 1), (3, 3)`);
    const contacts = aTable('contacts', {
      match: { email: 'email' },
      tenant: [via('projects', { workspace_id: 'id' })],
    });
    const projects = {
      ...CONTACTS,
      table: 'projects',
      tenant: [via('workspaces', { workspace: 'id' })],
    };
    expect(await found(connect([LETTERS, contacts], [projects, WORKSPACES]))).toEqual(['a2']);
  });

  it('holds if a row leads to several tenants', async () => {
    await fill();
    await query('ALTER TABLE contacts ADD COLUMN other INTEGER');
    await query('UPDATE contacts SET other = 3 WHERE id = 11');
    const leads = { ...CONTACTS, tenant: [...WORKSPACE, via('workspaces', { other: 'id' })] };
    expect(await found(connect([LETTERS], [leads, WORKSPACES]))).toMatchObject({
      outcome: 'held',
      reason: 'tenant_mismatch',
    });
  });

  describe('while rows are erased', () => {
    const resolved = () => {
      const found = ['a1', 'a2'].map(customerId);
      return {
        ...aSubject(1, [email(JANE), ...found]),
        lookedUp: found,
        relied: [{ source: 'shop', name: 'controller_customer_id a1' }],
      };
    };

    it('erases what is still looked up', async () => {
      await fill();
      expect(await passOrRefuse(connect(), resolved())).toMatchObject({ outcome: 'erased' });
      expect(await ids('letters')).toEqual([23, 24, 25, 26]);
    });

    it('erases nothing if the row is of another tenant by then', async () => {
      await fill();
      await query('UPDATE contacts SET workspace_id = 3 WHERE id = 11');
      expect(await passOrRefuse(connect(), resolved())).toMatchObject({ outcome: 'grown' });
      expect(await ids('letters')).toEqual([21, 22, 23, 24, 25, 26]);
    });
  });

  it('is what the check says', async () => {
    await fill();
    const lines = (await connect().check?.()) ?? [];
    expect(lines.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(lines.map(({ message }) => message)).toContain(
      'gives the controller_customer_id (no) for each email (email)',
    );
    const gone = { ...CONTACTS, tenant: [via('rooms', { workspace_id: 'id' })] };
    const refused =
      (await connect([LETTERS], [gone, { ...WORKSPACES, table: 'rooms' }]).check?.()) ?? [];
    expect(refused).toContainEqual(
      expect.objectContaining({ level: 'problem', subject: 'rooms', message: expect.any(String) }),
    );
    const lost = (await connect([LETTERS], [WORKSPACES]).check?.()) ?? [];
    expect(lost).toContainEqual(
      expect.objectContaining({
        level: 'problem',
        message: expect.stringContaining('has no column "account", by which "resolve" tells'),
      }),
    );
  });
});
