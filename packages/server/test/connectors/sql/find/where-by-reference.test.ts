// `where` by a value of the row to which a column refers: the key of an attribute has another id in every workspace.
import { describe, expect, it } from 'vitest';
import type { SqlTargetConfig, TableConfig } from '../../../../src/domain/target/target.ts';
import { aSubject, aTable, email, GLOBEX, tablesWork } from '../sql-target.ts';
import { eraseWhole, JANE, JOE, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const BY_WORKSPACE: Partial<SqlTargetConfig> = {
  tenancy: { way: 'column', column: 'workspace', values: { acme: '1', globex: '2' } },
};
const whereBy = { key_id: { table: 'attribute_keys', column: 'name' } };
const EMAILS = aTable('attributes', {
  name: 'attributes (key_id: email)',
  where: { key_id: ['email'] },
  whereBy,
  match: { email: 'value' },
  tenant: [via('contacts', { contact_id: 'id' })],
});
const OTHERS = aTable('attributes', {
  name: 'attributes (key_id: not email)',
  where: { key_id: { not: ['email'] } },
  whereBy,
  via: [via('contacts', { contact_id: 'id' })],
  tenant: [via('contacts', { contact_id: 'id' })],
});
const CONTACTS = aTable('contacts', {
  via: [{ ...via('attributes', { id: 'contact_id' }), entries: [EMAILS.name ?? ''] }],
});
const PLAN = [OTHERS, EMAILS, CONTACTS];

await onEverySqlDatabase('where by reference', (target) => {
  const { query, ids } = target;
  const open = (tables: readonly TableConfig[]) => {
    const isPlanned = tables.some(({ table }) => table === 'contacts');
    const leads = isPlanned ? {} : { leads: [{ table: 'contacts', tenantColumn: null }] };
    return target.open(tables, { ...BY_WORKSPACE, work: tablesWork(tables, leads) });
  };
  const fill = (key = 'INTEGER', cast = (id: number): string => String(id)) =>
    query(`
      CREATE TABLE attribute_keys (id ${key} PRIMARY KEY, name VARCHAR(40));
      CREATE TABLE contacts (id INTEGER PRIMARY KEY, workspace INTEGER);
      CREATE TABLE attributes (id INTEGER PRIMARY KEY, contact_id INTEGER, key_id ${key}, value VARCHAR(200),
        FOREIGN KEY (contact_id) REFERENCES contacts (id));
      INSERT INTO attribute_keys VALUES (${cast(1)}, 'email'), (${cast(2)}, 'name'), (${cast(3)}, 'Email'),
        (${cast(4)}, NULL), (${cast(7)}, 'email');
      INSERT INTO contacts VALUES (11, 1), (12, 1), (13, 2);
      INSERT INTO attributes VALUES
        (101, 11, ${cast(1)}, '${JANE}'), (102, 11, ${cast(2)}, 'Jane'), (103, 12, ${cast(1)}, '${JOE}'),
        (104, 12, ${cast(2)}, '${JANE}'), (105, 13, ${cast(7)}, '${JANE}'), (106, 13, ${cast(2)}, 'Jane'),
        (107, 12, ${cast(3)}, '${JANE}'), (108, 12, ${cast(4)}, '${JANE}'), (109, 12, NULL, '${JANE}'),
        (110, 12, ${cast(99)}, '${JANE}')`);

  it('finds rows by the value that the row above has exactly, whatever its id is, and no other rows', async () => {
    await fill();
    const { erasures } = await eraseWhole(open([EMAILS]));
    expect(erasures).toEqual([{ outcome: 'erased', counts: { 'attributes (key_id: email)': 1 } }]);
    expect(await ids('attributes')).toEqual([102, 103, 104, 105, 106, 107, 108, 109, 110]);
    await eraseWhole(open([EMAILS]), aSubject(1, [email(JANE)], GLOBEX));
    expect(await ids('attributes')).toEqual([102, 103, 104, 106, 107, 108, 109, 110]);
  });

  it('means by "not" every other row, also where the reference is NULL or leads nowhere', async () => {
    await fill('VARCHAR(20)', (id) => `'key-${id}'`);
    await query(`UPDATE attributes SET contact_id = 11 WHERE id IN (107, 108, 109, 110)`);
    const { erasures } = await eraseWhole(open(PLAN));
    expect(erasures).toMatchObject([{ counts: { 'attributes (key_id: not email)': 5 } }]);
    expect(await ids('attributes')).toEqual([103, 104, 105, 106]);
  });

  it('finds rows by null where the row above has no value, or is missing', async () => {
    await fill();
    const nameless = {
      ...EMAILS,
      where: { key_id: [null] },
      action: { kind: 'overwrite', columns: { value: { kind: 'null' } } },
    } as const;
    await eraseWhole(open([nameless]));
    const left = await query(`SELECT id FROM attributes WHERE value IS NULL ORDER BY id`);
    expect(left.map(({ id }) => Number(id))).toEqual([108, 109, 110]);
  });

  describe('in the check', () => {
    const problemsOf = async (...tables: Parameters<typeof aTable>[1][]) => {
      const lines = await open(
        tables.map((changes) => aTable('attributes', { ...EMAILS, ...changes })),
      ).check();
      return lines.filter(({ level }) => level === 'problem').map(({ message }) => message);
    };

    it('has no problem, and counts rows of other keys', async () => {
      await fill();
      expect(await problemsOf({})).toEqual([]);
      const lines = await open([EMAILS]).check();
      expect(lines.map(({ message }) => message)).toContainEqual(
        expect.stringContaining('"key_id.attribute_keys.name"'),
      );
    });

    it('names a table or column that is not there, and a reference to no key', async () => {
      await fill();
      await query(
        'CREATE TABLE colours (a INTEGER, b INTEGER, name VARCHAR(9), PRIMARY KEY (a, b))',
      );
      const by = (table: string, column: string) => ({ whereBy: { key_id: { table, column } } });
      expect(await problemsOf(by('atribute_keys', 'name'))).toContainEqual(
        expect.stringMatching(/does not exist/),
      );
      expect(await problemsOf(by('attribute_keys', 'nam'))).toContainEqual(
        expect.stringMatching(/has no column "nam".*"name"/),
      );
      expect(await problemsOf(by('colours', 'name'))).toContainEqual(
        expect.stringMatching(/"key_id" cannot refer to colours: that needs a primary key/),
      );
    });

    it('refuses a table that tells rows apart and is erased from', async () => {
      await fill();
      const keys = aTable('attribute_keys', {
        match: { email: 'name' },
        tenant: [via('contacts', { id: 'id' })],
      });
      const lines = await open([EMAILS, keys]).check();
      expect(lines).toContainEqual(
        expect.objectContaining({
          level: 'problem',
          message: expect.stringMatching(/attribute_keys says which rows the entry has/),
        }),
      );
    });
  });

  it('leaves a row whose key has another name now', async () => {
    await fill();
    await query(`UPDATE attribute_keys SET name = 'mail' WHERE id = 1`);
    const preview = await previewOf(open([EMAILS]));
    expect(preview).toMatchObject({ outcome: 'found', counts: {} });
  });
});
