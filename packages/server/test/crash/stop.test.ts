import { describe, expect, it } from 'vitest';
import { emptyLedger, startLoad } from './load.ts';
import { useServerProcess } from './use-server-process.ts';
import { inspectStore, WHOLE } from './whole-store.ts';

const { server, options, token, untilNotReady } = useServerProcess();

describe('a server that gets SIGTERM under load', () => {
  it('turns unready, serves on, keeps all that it acknowledged, and ends with 0', async () => {
    const ledger = emptyLedger();
    const load = startLoad(server().url, await token(), ledger, 16);
    await load.acknowledged(50);

    const ended = server().kill('SIGTERM');
    const notReady = await untilNotReady();
    expect(notReady.status).toBe(503);
    expect(notReady.body.reasons).toEqual(['shutting down']);

    const before = ledger.created.size;
    await load.acknowledged(before + ledger.cancelled.size + 20);
    expect(await ended).toBe(0);
    await load.stop();

    expect(ledger.created.size).toBeGreaterThan(before);
    expect(ledger.unexpected).toEqual([]);
    expect(inspectStore(options().dataDir, 'acme', ledger)).toEqual(WHOLE);
    expect(server().output()).toContain('"stopped"');
  });
});
