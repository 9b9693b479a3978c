// The master key is given by the environment: the operator changes it there.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { startServerHere } from '../../helpers/servers/server-here.ts';
import { environmentOf, type TestServer } from '../../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { runHere } from '../run-here.ts';

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];
let folder: TemporaryFolder;
let port: number;
let server: TestServer | undefined;

beforeAll(async () => {
  folder = makeTemporaryFolder();
  port = await freePort();
});
afterAll(async () => {
  await server?.kill('SIGTERM');
  folder.remove();
});

const options = (environment: Record<string, string>) => ({
  dataDir: `${folder.path}/data`,
  port,
  environment,
});
const run = (environment: Record<string, string>, ...args: string[]) =>
  runHere(args, { env: environmentOf(options(environment)), cwd: folder.path });
interface ListedKey {
  readonly master_key: string;
  readonly state: string;
  readonly sealed: number;
}
const list = async (environment: Record<string, string>): Promise<ListedKey[]> =>
  JSON.parse((await run(environment, 'keys', 'list', '--json')).stdout);

describe('a master key from outside', () => {
  it('is changed at its source, adopted at the next start, and then removed from its source', async () => {
    const old = { UNWRITE_MASTER_KEY: first };
    const client = JSON.parse(
      (await run(old, 'client', 'create', '--controller', 'acme', '--json')).stdout,
    ) as { client_id: string };
    const refused = await run(old, 'keys', 'rotate');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('give the new key as UNWRITE_MASTER_KEY and this one as');
    expect((await run({ UNWRITE_MASTER_KEY: second }, 'keys', 'list')).exitCode).toBe(78);

    const both = { UNWRITE_MASTER_KEY: second, UNWRITE_MASTER_KEY_PREVIOUS: first };
    server = await startServerHere(options(both));
    await expect
      .poll(async () => (await list(both)).map(({ state, sealed }) => [state, sealed > 0]), {
        timeout: 15_000,
      })
      .toEqual([
        ['retired', false],
        ['current', true],
      ]);
    const [retired] = await list(both);
    const id = retired?.master_key ?? '';
    const stillGiven = await run(both, 'keys', 'destroy', id, '--force');
    expect(stillGiven.exitCode).toBe(1);
    expect(stillGiven.stderr).toContain('is given by UNWRITE_MASTER_KEY_PREVIOUS: remove it');

    await server.kill('SIGTERM');
    const alone = { UNWRITE_MASTER_KEY: second };
    server = await startServerHere(options(alone));
    expect((await run(alone, 'keys', 'destroy', id, '--force')).exitCode).toBe(0);
    expect((await list(alone))[0]).toMatchObject({ state: 'destroyed' });
    expect((await run(alone, 'token', client.client_id)).exitCode).toBe(0);
  });

  it('is refused if an earlier one is malformed, without being shown', async () => {
    const wrong = { UNWRITE_MASTER_KEY: second, UNWRITE_MASTER_KEY_PREVIOUS: `${first},horse` };
    const { exitCode, stderr } = await run(wrong, 'keys', 'list');
    expect(exitCode).toBe(78);
    expect(stderr).toContain('UNWRITE_MASTER_KEY_PREVIOUS must be keys of 32 bytes');
    expect(stderr).not.toContain('horse');
  });
});
