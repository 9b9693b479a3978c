// unwrite target prepare: the table by which a database says how a transaction ended.
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from '../use-installation.ts';

const { unwrite, folder } = useInstallation();

beforeAll(() => {
  new DatabaseSync(`${folder()}/shop.db`).exec('CREATE TABLE customers (id INTEGER PRIMARY KEY)');
  writeFileSync(
    `${folder()}/unwrite.config.yaml`,
    'targets:\n  shop: { connector: sqlite, file: ./shop.db, tables: [] }\n',
  );
});

describe('unwrite target prepare', () => {
  it('prints the table, makes it with --run, and says when it is there', async () => {
    const printed = await unwrite('target', 'prepare', 'shop');
    expect(printed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(printed.stdout).toContain('CREATE TABLE unwrite_transactions (');
    expect(await unwrite('target', 'prepare', 'shop')).toEqual(printed);
    const made = await unwrite('target', 'prepare', 'shop', '--run');
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Made: /);
    const again = await unwrite('target', 'prepare', 'shop', '--run');
    expect(again.stdout).toMatch(/^Ready: /);
  });
});
