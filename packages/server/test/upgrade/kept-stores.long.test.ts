// A store of every released version, as it was then, is upgraded to this one. stores/ has a folder for each: backups, and what
// must be true of them. npm run test:long -- upgrade --keep writes those of this version.
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/app/version.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import type { Credentials } from '../helpers/http/api.ts';
import type { ServerProcess } from '../helpers/servers/server-process.ts';
import type { InventedVersion } from './invented-version.ts';
import { useVersions } from './use-versions.ts';

const STORES = fileURLToPath(new URL('stores', import.meta.url));
const KINDS = (await hasPostgres()) ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const);
const released = existsSync(STORES) ? readdirSync(STORES) : [];

/** A machine may be busy. */
const PATIENCE = 600_000;

interface Filled {
  /** Of the controller whose requests they are. */
  readonly credentials: Credentials;
  readonly completed: readonly string[];
  readonly cancelled: string;
  readonly pending: string;
}

describe.each(KINDS)('a store on %s', (kind) => {
  const versions = useVersions(kind);

  async function fill(server: ServerProcess): Promise<Filled> {
    const credentials = await versions.makeToken(server);
    const completed = [await versions.submit(server), await versions.submit(server)];
    for (const id of completed) await versions.complete(server, id);
    const cancelled = await versions.submit(server);
    await versions.cancel(server, cancelled);
    return { credentials, completed, cancelled, pending: await versions.submit(server) };
  }

  async function requireKept(filled: Filled, version?: InventedVersion): Promise<void> {
    const { credentials, completed, cancelled, pending } = filled;
    const server = await versions.start('a', version);
    await versions.useToken(server, credentials);
    for (const id of completed) {
      expect(await versions.statusAt(server, id)).toBe('completed');
      const receipt = join(versions.dataDir(), 'receipt.json');
      writeFileSync(receipt, (await versions.command(['receipt', id, '--json'], version)).stdout);
      const verified = await versions.command(['receipt', 'verify', receipt], version);
      expect([verified.exitCode, verified.stderr]).toEqual([0, '']);
    }
    expect(await versions.statusAt(server, cancelled)).toBe('cancelled');
    expect(await versions.statusAt(server, pending)).toBe('pending');
    await versions.complete(server, pending, version);
    const audit = await versions.command(['audit', 'verify'], version);
    expect([audit.exitCode, audit.stderr]).toEqual([0, '']);
    expect((await versions.answered(['migrate', 'status'], version)).waiting).toEqual([]);
  }

  it('of this version is upgraded to the next, and is still all there', {
    timeout: PATIENCE,
  }, async () => {
    const server = await versions.start('a');
    const filled = await fill(server);
    const folder = versions.dataDir();
    await versions.answered(['backup', 'create', '--to', folder]);
    if (process.env.UNWRITE_TEST_KEEP_STORES !== undefined) keep(folder, kind, filled);
    await server.kill('SIGTERM');
    await requireKept(filled, versions.next());
  });

  it.each(released)(
    'of version %s is upgraded to this one',
    { timeout: PATIENCE },
    async (version) => {
      const from = join(STORES, version);
      const backup = join(versions.dataDir(), 'kept.backup');
      writeFileSync(backup, gunzipSync(readFileSync(join(from, `${kind}.backup.gz`))));
      await versions.answered(['backup', 'restore', backup]);
      await versions.answered(['restored', 'confirm', '--yes']);
      await requireKept(JSON.parse(readFileSync(join(from, `${kind}.json`), 'utf8')));
    },
  );
});

function keep(folder: string, kind: string, filled: Filled): void {
  const to = join(STORES, VERSION);
  mkdirSync(to, { recursive: true });
  const [backup = ''] = globSync(join(folder, '*.backup'));
  writeFileSync(join(to, `${kind}.backup.gz`), gzipSync(readFileSync(backup)));
  writeFileSync(join(to, `${kind}.json`), `${JSON.stringify(filled, null, 2)}\n`);
}
