// unwrite target suggest: a draft from a database, which nothing uses before it was read.
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { useInstallation } from '../use-installation.ts';

const SECRET = 'hunter2hunter2';
const { unwrite, folder } = useInstallation();

function configure(targets: Record<string, unknown>, more: Record<string, unknown> = {}): void {
  writeFileSync(`${folder()}/unwrite.config.yaml`, stringify({ ...more, targets }));
}

beforeAll(() => {
  const database = new DatabaseSync(`${folder()}/shop.db`);
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, account_id TEXT, email TEXT UNIQUE);
    CREATE INDEX by_email ON customers (email COLLATE NOCASE);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, account_id TEXT, customer_id INTEGER);
    CREATE INDEX by_customer ON orders (customer_id);`);
  database.close();
});

describe('unwrite target suggest', () => {
  it.each([
    ['without tables', {}],
    ['with an empty list', { tables: [] }],
    ['with mistakes elsewhere', { tables: 'later', hours: 'never', mode: 'x' }],
  ])('reads the address of a target %s', async (_, fields) => {
    configure({ shop: { connector: 'sqlite', file: './shop.db', ...fields } }, { port: 'x' });
    const { exitCode, stdout, stderr } = await unwrite('target', 'suggest', 'shop');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('    file: "./shop.db"\n');
    expect(stdout).toContain('      - table: orders\n');
  });

  it.each([
    [{ controllers: ['acme'] }, 'controllers: ["acme"]'],
    [{ tenancy: 'none' }, 'tenancy: "none"'],
    [{ tenant_column: 'id', tenants: { a: [1, 2] } }, 'tenants: {"a":[1,2]}'],
  ])('keeps what the file says of tenancy, and does not ask: %j', async (fields, line) => {
    configure({ shop: { connector: 'sqlite', file: './shop.db', ...fields } });
    const { stdout } = await unwrite('target', 'suggest', 'shop');
    expect(stdout).toContain(`\n    ${line}\n`);
    expect(stdout).not.toContain('tenant_column: account_id');
    expect(stdout).not.toContain('keep one of these lines');
  });

  it('accepts a database that is in no file yet', async () => {
    configure({});
    const { exitCode, stdout } = await unwrite(
      'target',
      'suggest',
      'shop',
      '--connector',
      'sqlite',
      '--file',
      'shop.db',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('    connector: sqlite\n    file: "shop.db"\n');
  });

  it('prints a draft that is refused unchanged, and accepted once it was reviewed', async () => {
    configure({ shop: { connector: 'sqlite', file: './shop.db' } });
    const { stdout } = await unwrite('target', 'suggest', 'shop');
    writeFileSync(`${folder()}/unwrite.config.yaml`, stdout);
    const refused = await unwrite('config', 'check');
    expect(refused.exitCode).toBe(78);
    expect(refused.stderr).toContain(
      'targets.shop.draft: this plan is a draft: read each line, decide what is marked with "?", then remove the line "draft"',
    );
    expect(refused.stderr).not.toContain('is not a setting');
    expect((await unwrite('serve')).exitCode).toBe(78);

    const read = readFileSync(`${folder()}/unwrite.config.yaml`, 'utf8').replace(
      /^ *draft:.*\n/m,
      '',
    );
    writeFileSync(`${folder()}/unwrite.config.yaml`, read);
    const checked = await unwrite('target', 'check');
    expect(checked.stdout).toContain('1 target checked: 0 problems, 1 warning.');
  });

  it('does not show an address that may hold a password', async () => {
    const url = `postgres://u:${SECRET}@127.0.0.1:9/shop`;
    configure({ shop: { connector: 'postgres', url } });
    const { exitCode, stdout, stderr } = await unwrite('target', 'suggest', 'shop');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^unwrite: shop: .*\(unreachable\)\n$/);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it('says what is missing', async () => {
    const failure = async (...args: string[]) =>
      (await unwrite('target', 'suggest', ...args)).stderr;
    configure({
      shop: { connector: 'mysql', url: `\${NOT_SET_HERE}` },
      crm: { connector: 'http' },
    });
    expect(await failure('shop')).toContain('the variable NOT_SET_HERE is not set');
    expect(await failure('crm')).toContain('must be a database: postgres, mysql, sqlite');
    expect(await failure('shopp')).toContain('there is no target shopp in');
    expect(await failure('shopp')).toContain('(there are: shop, crm)');
    expect(await failure('it', '--connector', 'postgres')).toContain('it.url: is missing');
    expect(await failure('it', '--file', 'x.db')).toContain('it.connector: must be a database');
    expect(await failure('it', '--connector', 'mysql', '--url-variable', 'NOT_SET_HERE')).toContain(
      'the variable NOT_SET_HERE is not set',
    );
  });
});
