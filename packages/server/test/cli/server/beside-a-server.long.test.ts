// Processes of their own, as operators start them while a server is busy.
import { describe, expect, it } from 'vitest';
import { emptyLedger, startLoad } from '../../crash/load.ts';
import { getToken } from '../../helpers/http/api.ts';
import { runBeside } from '../../helpers/run-beside.ts';
import { startServerProcess } from '../../helpers/servers/server-process.ts';
import { DEFAULT_STORE } from '../../helpers/stores/test-store.ts';
import { useInstallation } from '../use-installation.ts';

const { serve, client, options } = useInstallation(DEFAULT_STORE, startServerProcess);
const beside = (...args: string[]) => runBeside(args, options());

describe('the command line beside a running server', () => {
  it('neither blocks it nor is blocked by it', async () => {
    const server = await serve();
    const acme = await client('acme');
    const ledger = emptyLedger();
    const load = startLoad(server.url, await getToken(acme), ledger, 16);
    await load.acknowledged(20);
    const results = await Promise.all([
      beside('client', 'create', '--controller', 'new-one'),
      beside('client', 'secret', 'add', acme.client_id),
      beside('request', 'list', '--limit', '1000'),
      beside('controller', 'create', 'another'),
      beside('migrate'),
    ]);
    const during = ledger.created.size;
    await load.stop();
    expect(results.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(
      Array(5).fill([0, '']),
    );
    expect(during).toBeGreaterThan(100);
    expect(ledger.unexpected).toEqual([]);
  });
});
