import { afterEach, expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { postToken } from '../helpers/http/token-request.ts';
import { startServerHere } from '../helpers/servers/server-here.ts';
import type { TestServer } from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const folder = makeTemporaryFolder();
let server: TestServer;
afterEach(async () => {
  await server.kill('SIGTERM');
  folder.remove();
});

it('a failed login leaves a line without the secret, and a flood of them a handful', async () => {
  server = await startServerHere({ dataDir: folder.path, port: await freePort() });
  const fields = {
    grant_type: 'client_credentials',
    audience: 'x',
    client_id: `cli_${'a'.repeat(24)}`,
    client_secret: 'unwrite_a_wrong_secret',
  };
  const misplaced = { ...fields, client_id: 'unwrite_secret_in_the_wrong_field' };

  expect((await postToken(server.url, 'json', fields)).status).toBe(401);
  expect((await postToken(server.url, 'form', misplaced)).status).toBe(401);
  for (let n = 0; n < 40; n++) await postToken(server.url, 'json', fields);

  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.includes('a login failed'))
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(10);
  expect(lines[0]).toMatchObject({
    level: 40,
    client: fields.client_id,
    address: '127.0.0.1',
    throttled: false,
  });
  expect(lines[1]).toMatchObject({ client: 'unknown' });
  expect(server.output()).not.toContain('wrong_');
});
