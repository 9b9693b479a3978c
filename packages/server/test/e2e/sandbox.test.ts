import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInstallation } from '../../src/app/installation.ts';
import { openProof } from '../../src/app/proof/proof.ts';
import { createOperatorClients } from '../../src/auth/operator/operator-clients.ts';
import { loadConfig } from '../../src/config/config.ts';
import { SANDBOX_NAMES } from '../../src/connectors/sandbox/sandbox-people.ts';
import { writeCanonical } from '../../src/receipts/canonical.ts';
import { renderReceipt } from '../../src/receipts/render-receipt.ts';
import { verifyReceipt } from '../../src/receipts/verify-receipt.ts';
import { freshPostgres } from '../helpers/databases/fresh-postgres.ts';
import { type Answer, call } from '../helpers/http/api.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { identity } from '../helpers/http/request-body.ts';
import { startServiceIn, type TestService } from '../helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../helpers/servers/short-intervals.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

let folder: TemporaryFolder;
let service: TestService;
let acme: TestController;

beforeAll(async () => {
  folder = makeTemporaryFolder();
  const flags = { cancellationWindow: '0s', sandbox: 'true' };
  service = await startServiceIn(folder.path, flags, SHORT_INTERVALS);
  acme = await makeController(service);
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

async function submit(name: string): Promise<string> {
  const person = `${name}+${Math.random()}@sandbox.invalid`;
  return acme.created({ subject_identities: [identity('email', person)] });
}

const statusOf = async (id: string) => (await acme.status(id)).body.request_status;

async function receiptOf(name: string): Promise<Answer> {
  const id = await submit(name);
  await until(
    async () => (await statusOf(id)) === 'completed',
    () => `${name} is not completed`,
  );
  const { token } = acme;
  return call(`${service.url}/receipts/${id}`, { token });
}

async function waitsFor(name: string, found: (task: Record<string, unknown>) => boolean) {
  const id = await submit(name);
  const { store } = service.installation;
  const clients = createOperatorClients(store.operators, store.clock);
  const { token } = await clients.create(name, 'viewer', null, 'operator:test');
  await until(
    async () => {
      const { body } = await call(`${service.url}/operator/v1/requests/acme/${id}`, { token });
      return body.tasks.some(found);
    },
    () => `${name} is not there`,
  );
  expect(await statusOf(id)).toBe('in_progress');
}

describe('a sandbox', () => {
  it('completes a request of anybody, and says in the signed receipt that it is a sandbox', async () => {
    const { body: receipt, text } = await receiptOf('anybody');
    expect(receipt).toMatchObject({
      sandbox: true,
      not_found_anywhere: false,
      totals: { tasks: 1, rows_erased: 4 },
    });
    expect(renderReceipt(JSON.stringify(receipt))).toContain('<strong>Sandbox.</strong>');
    const { store, vaultKeys } = service.installation;
    const { signer } = await openProof(store, vaultKeys.ring, service.config.domain);
    const verdict = (document: string) => verifyReceipt(Buffer.from(document), signer.verify);
    expect(verdict(text)).toMatchObject({ ok: true });
    // The word is inside what is signed.
    const { sandbox: _, ...without } = receipt;
    expect(verdict(writeCanonical(without))).toMatchObject({ ok: false });
  });

  it('completes a request of notfound@ with nobody found', async () => {
    expect((await receiptOf('notfound')).body).toMatchObject({ not_found_anywhere: true });
  });

  it('completes a request of retained@ with rows that are kept', async () => {
    expect((await receiptOf('retained')).body).toMatchObject({
      retained: [{ system: 'sandbox', rows: 2 }],
    });
  });

  it('holds a request of held@ for an operator', async () => {
    await waitsFor('held', ({ state, reason }) => state === 'held' && reason === 'over_cap');
  });

  it('tries a request of failing@ again and again', async () => {
    await waitsFor('failing', ({ state }) => state === 'failed');
  });

  it('says in a header of every answer that it is a sandbox', async () => {
    const { token } = acme;
    for (const path of ['/discovery', '/requests/x', '/certificate.pem', '/operator/v1/session']) {
      const { headers } = await call(service.url + path, { token });
      expect(headers.get('X-Unwrite-Sandbox')).toBe('true');
    }
    const id = await submit('anybody');
    expect((await acme.status(id)).headers.get('X-Unwrite-Sandbox')).toBe('true');
    expect((await acme.status(id)).headers.get('X-OpenDSR-Signature')).toBe('not-yet-implemented');
  });

  it('says so in the overview of the console', async () => {
    const { store } = service.installation;
    const clients = createOperatorClients(store.operators, store.clock);
    const { token } = await clients.create('overview', 'viewer', null, 'operator:test');
    const { body } = await call(`${service.url}/operator/v1/overview`, { token });
    expect(body.sandbox).toBe(true);
  });
});

describe('the store of a sandbox', () => {
  it.each(['sqlite', 'postgres'])(
    'is refused in production, and that of production in a sandbox: %s',
    async (kind) => {
      const open = async (name: string, sandbox: boolean) => {
        const own = { dataDir: `${folder.path}/${name}`, storeSchema: name, sandbox };
        const { config } = loadConfig({ ...own, store }, {}, folder.path);
        await (await openInstallation(config)).close();
      };
      const store = kind === 'sqlite' ? 'sqlite' : (await freshPostgres()).url;
      await open('production', false);
      await expect(open('production', true)).rejects.toThrow(/is not that of a sandbox/);
      await open('production', false);
      await open('sandbox', true);
      await expect(open('sandbox', false)).rejects.toThrow(/is that of a sandbox/);
      await open('sandbox', true);
    },
  );

  it('is apart from that of production by default', () => {
    const { config } = loadConfig({ sandbox: true }, {}, folder.path);
    expect(config).toMatchObject({
      dataDir: `${folder.path}/sandbox`,
      storeSchema: 'unwrite_sandbox',
      cancellationWindow: 5,
    });
  });
});

describe('sandbox', () => {
  const targets = { paper: { connector: 'manual' } };

  it('cannot be combined with targets', () => {
    const file = `${folder.path}/unwrite.config.json`;
    writeFileSync(file, JSON.stringify({ sandbox: true, targets }));
    expect(() => loadConfig({ config: file }, {}, folder.path)).toThrow(
      expect.objectContaining({ problems: [expect.stringContaining('cannot be combined')] }),
    );
  });

  it('is not a connector that a file can name', () => {
    const file = `${folder.path}/unwrite.config.json`;
    writeFileSync(file, JSON.stringify({ targets: { shop: { connector: 'sandbox' } } }));
    expect(() => loadConfig({ config: file }, {}, folder.path)).toThrow(/a problem/);
  });

  it('has every magic name in its docs', () => {
    const page = readFileSync(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z]+)@sandbox\.invalid`/gm)].map(([, name]) => name);
    expect(listed).toEqual([...SANDBOX_NAMES]);
  });
});
