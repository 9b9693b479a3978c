import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('an idle process of a SQLite target does not keep Unwrite from ending', () => {
  const module = new URL('../../../src/connectors/sqlite/open-sqlite.ts', import.meta.url).href;
  const config = { address: ':memory:', statementTimeout: 9000, lockTimeout: 1000 };
  const program = `
    const { openSqlite } = await import(${JSON.stringify(module)});
    const database = openSqlite(${JSON.stringify(config)});
    await database.transaction('read', (session) => session.query('SELECT 1'));
    console.log('asked');`;
  const args = ['--no-warnings', '--input-type=module', '--eval', program];
  const ended = spawnSync(process.execPath, args, { timeout: 15_000, encoding: 'utf8' });
  expect(ended).toMatchObject({ stdout: 'asked\n', stderr: '', status: 0 });
});
