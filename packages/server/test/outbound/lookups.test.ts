// A name server that does not answer holds a thread of the process for each lookup, and nobody can take it back.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../src/outbound/reachable-addresses.ts';
import { freePort } from '../helpers/free-port.ts';
import { startServerProcess } from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const ADDRESSES = [{ address: '192.0.2.1', family: 4 }];

function hangingResolver() {
  const asked: string[] = [];
  const answers: PromiseWithResolvers<typeof ADDRESSES>[] = [];
  const lookup = oneAtATime((hostname) => {
    asked.push(hostname);
    const answer = Promise.withResolvers<typeof ADDRESSES>();
    answers.push(answer);
    return answer.promise;
  });
  return { asked, answers, lookup };
}

describe('the lookup of a host name', () => {
  it('is not started again while it hangs, and all callers get its answer', async () => {
    const { asked, answers, lookup } = hangingResolver();
    const waiting = [lookup('crm.example'), lookup('crm.example'), lookup('other.example')];
    expect(asked).toEqual(['crm.example', 'other.example']);

    for (const { resolve } of answers) resolve(ADDRESSES);

    expect(await Promise.all(waiting)).toEqual([ADDRESSES, ADDRESSES, ADDRESSES]);
  });

  it('is started anew after an answer, whether that was an address or an error', async () => {
    const { asked, answers, lookup } = hangingResolver();
    const first = lookup('crm.example');
    answers[0]?.reject(new Error('ENOTFOUND'));
    await expect(first).rejects.toThrow('ENOTFOUND');
    const second = lookup('crm.example');
    answers[1]?.resolve(ADDRESSES);
    expect(await second).toEqual(ADDRESSES);
    expect(asked).toHaveLength(2);
  });

  const hasProc = process.platform === 'linux';
  it.skipIf(!hasProc)('leaves threads for the names of other targets', async () => {
    const folder = makeTemporaryFolder();
    const server = await startServerProcess({ dataDir: folder.path, port: await freePort() });
    try {
      const tasks = `/proc/${server.child.pid}/task`;
      const names = readdirSync(tasks).map((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8'));
      // Half of them are for lookups; there were two.
      expect(names.filter((name) => name.startsWith('libuv-worker'))).toHaveLength(64);
    } finally {
      await server.kill('SIGKILL');
      folder.remove();
    }
  });
});
