import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeServeLock } from '../../src/store/sqlite/serve-lock.ts';
import { runHere } from '../cli/run-here.ts';
import { freePort } from '../helpers/free-port.ts';
import { environmentOf, startServerProcess } from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

let folder: TemporaryFolder;
let dataDir: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
  dataDir = join(folder.path, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
});
afterEach(() => folder.remove());

function write(path: string, content: string, mode: number): string {
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

async function check(environment: Record<string, string> = {}): Promise<string[]> {
  const env = environmentOf({ dataDir, port: 8080, environment });
  const { exitCode, stdout } = await runHere(['config', 'check', '--json'], {
    env,
    cwd: folder.path,
  });
  expect(exitCode).toBe(0);
  return JSON.parse(stdout).warnings;
}

describe('a file with a secret that others may read', () => {
  it('is reported by config check: the master key', async () => {
    const path = write(join(dataDir, 'master.key'), KEY, 0o644);
    expect(await check()).toEqual([
      expect.stringMatching(/mode 0644\); run: chmod 600 .*master.key/),
    ]);
    chmodSync(path, 0o640);
    expect(await check()).toEqual([]);
    chmodSync(path, 0o660);
    expect(await check()).toHaveLength(1);
  });

  it('is reported by config check: a file that a variable names', async () => {
    const path = write(join(folder.path, 'hook'), 'https://hooks.example/s3cret', 0o604);
    const [warning] = await check({ UNWRITE_ALARMS_WEBHOOK_FILE: path });
    expect(warning).toContain(`chmod 600 ${path}`);
  });

  it('is reported by config check: the key with which the store is reached', async () => {
    const path = write(join(folder.path, 'client.key'), 'key', 0o644);
    const address = 'postgres://unwrite@db.example/unwrite?sslmode=verify-full';
    const store = `${address}&sslcert=${path}.crt&sslkey=${path}`;
    expect(await check({ UNWRITE_STORE: store })).toEqual([
      expect.stringContaining(`chmod 600 ${path}`),
    ]);
    chmodSync(path, 0o600);
    expect(await check({ UNWRITE_STORE: store })).toEqual([]);
  });

  it('is reported by config check: the configuration, only if it holds a secret', async () => {
    const path = join(folder.path, 'unwrite.config.yaml');
    write(path, 'log_level: warn', 0o644);
    expect(await check()).toEqual([]);
    const target = 'connector: http, url: "https://crm.example/erase"';
    write(path, `targets: { crm: { ${target}, bearer: "\${CRM}" } }`, 0o644);
    expect(await check({ CRM: 's3cret' })).toEqual([]);
    const shop = 'connector: postgres, tenancy: none, tables: [{ table: a, match: { email: b } }]';
    for (const secret of [
      `crm: { ${target}, bearer: s3cret }`,
      `crm: { ${target}, basic: { username: u, password: s3cret } }`,
      `shop: { ${shop}, url: "postgres://u:s3cret@db.example/shop" }`,
    ]) {
      write(path, `targets: { ${secret} }`, 0o644);
      expect(await check()).toEqual([expect.stringContaining(`chmod 600 ${path}`)]);
    }
    write(path, 'alarms: { webhook: "https://hooks.example/s3cret" }', 0o644);
    expect(await check()).toEqual([expect.stringContaining(`chmod 600 ${path}`)]);
  });

  it('is reported by config check: the data, if others may enter its folder', async () => {
    write(join(dataDir, 'unwrite.db'), '', 0o644);
    expect(await check()).toEqual([]);
    chmodSync(dataDir, 0o755);
    expect(await check()).toEqual([expect.stringContaining(`chmod -R g-w,o-rwx ${dataDir}`)]);
  });
});

describe('the files of a server', () => {
  it('are not readable by others in any folder, and a loose key file is reported at start', async () => {
    chmodSync(dataDir, 0o755);
    write(join(dataDir, 'master.key'), KEY, 0o644);
    write(join(dataDir, 'serve.lock'), '', 0o644);
    const server = await startServerProcess({ dataDir, port: await freePort() });
    try {
      expect(server.output()).toMatch(/master.key holds a secret.*mode 0644/);
      for (const name of ['serve.lock', 'unwrite.db', 'unwrite.db-wal']) {
        expect([name, statSync(join(dataDir, name)).mode & 0o007]).toEqual([name, 0]);
      }
      expect(statSync(join(dataDir, 'serve.lock')).mode & 0o777).toBe(0o600);
    } finally {
      await server.kill('SIGKILL');
    }
  });

  it('are locked only by their owner', () => {
    takeServeLock(dataDir)?.release();
    expect(statSync(join(dataDir, 'serve.lock')).mode & 0o777).toBe(0o600);
  });
});
