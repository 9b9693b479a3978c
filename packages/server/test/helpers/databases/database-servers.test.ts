import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilRefused } from '../servers/server-process.ts';
import { freshMariadb, hasMariadb } from './fresh-mariadb.ts';
import { type FreshDatabase, freshPostgres, hasPostgres } from './fresh-postgres.ts';

const SERVERS = [
  {
    title: 'PostgreSQL',
    has: hasPostgres,
    fresh: freshPostgres,
  },
  {
    title: 'MariaDB',
    has: hasMariadb,
    fresh: freshMariadb,
  },
];

for (const { title, has, fresh } of SERVERS) {
  describe.skipIf(!(await has()))(`a ${title} for tests`, () => {
    let one: FreshDatabase;
    let other: FreshDatabase;
    beforeAll(async () => {
      one = await fresh();
      other = await fresh();
    });
    afterAll(() => Promise.all([one.close(), other.close()]));

    it('gives each who asks a database that no other sees', async () => {
      await one.query('CREATE TABLE person (id int PRIMARY KEY)');
      await one.query('INSERT INTO person VALUES (1); INSERT INTO person VALUES (2)');

      expect(await one.query('SELECT id FROM person ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
      await expect(other.query('SELECT id FROM person')).rejects.toThrow();
    });

    it('keeps every character of Unicode', async () => {
      const rows = await one.query("SELECT 'Zoë 🦊 K' AS text; SELECT 'Zoë 🦊 K' AS text");

      expect(rows).toEqual([{ text: 'Zoë 🦊 K' }]);
    });
  });
}

it.skipIf(!(await hasPostgres()))(
  'a server of a test of its own stops when the process that started it is killed',
  async () => {
    const program = `const { startGuarded } = await import(${JSON.stringify(import.meta.resolve('./guarded-server.ts'))});
      console.log((await startGuarded('postgres')).url);
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const [url] = await once(child.stdout, 'data');

    child.kill('SIGKILL');

    await untilRefused(Number(new URL(String(url)).port));
  },
);
