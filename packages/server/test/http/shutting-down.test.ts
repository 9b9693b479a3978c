import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { call } from '../helpers/http/api.ts';
import { startServerHere } from '../helpers/servers/server-here.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

it('a server that gets SIGTERM says that it is not ready and serves on until load balancers have seen it', async () => {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder.remove());
  const options = { dataDir: folder.path, port: await freePort() };
  const server = await startServerHere(options, { drainDelay: 0.5 });
  const ended = server.kill('SIGTERM');
  await expect.poll(server.output).toContain('shutting down');
  const ready = await call(`${server.url}/health/ready`);
  expect([ready.status, ready.body.reasons]).toEqual([503, ['shutting down']]);
  expect((await call(`${server.url}/discovery`)).status).toBe(401);
  await ended;
  await expect(fetch(server.url)).rejects.toThrow();
});
