// What docs/verifying.md says is enough to verify everything that a controller gets.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportAudit } from '../../src/audit/export/export-audit.ts';
import { loadProofSigner } from '../../src/audit/proof-key.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { createSecretSealer } from '../../src/vault/seal-secret.ts';
import { runHere } from '../cli/run-here.ts';
import { call } from '../helpers/http/api.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import {
  verifyConsistency,
  verifyExport,
  verifyHead,
  verifyInclusion,
  verifyReceipt,
  verifyReceiptProof,
} from './verifier.ts';

const folder = makeTemporaryFolder();
const file = (name: string) => `${folder.path}/${name}`;
let service: TestService;
let acme: TestController;
let pem: string;
/** Of one request, from the first head on. */
let receipt: string;
let id: string;
let firstHead: Record<string, unknown>;

beforeAll(async () => {
  service = await startService({ cancellationWindow: '0s' });
  acme = await makeController(service, 'acme');
  pem = (await call(`${service.url}/receipts/key`)).text;
  await until(async () => (await get('/audit/head')).status === 200);
  firstHead = (await get('/audit/head')).body;
  id = await complete();
  receipt = (await get(`/receipts/${id}`)).text;
  // Until a head covers the signing.
  await until(async () => (await get(`/receipts/${id}/proof`)).status === 200);
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

const get = (path: string, token = acme.token) => call(`${service.url}${path}`, { token });

const until = (isSo: () => Promise<boolean>) =>
  vi.waitUntil(isSo, { timeout: 15_000, interval: 100 });

async function complete(): Promise<string> {
  const requestId = await acme.created();
  const { tasks, operator } = service.installation.store;
  const filter = { controllerId: 'acme' as ControllerId, subjectRequestId: requestId, limit: 1 };
  await until(async () => (await tasks.tasks(filter)).length === 1);
  const [task] = await tasks.tasks(filter);
  const by = { actor: 'operator:olga', now: Date.now() };
  await operator.confirm(task?.taskNo ?? 0, 'done', by);
  return requestId;
}

describe('somebody with the documentation, the public key and nothing of ours', () => {
  it('verifies a receipt with the head and the proof in it', () => {
    const verified = verifyReceipt(receipt, pem);
    expect(JSON.parse((verified.audit_proof as { entry: string }).entry)).toMatchObject({
      action: 'request.completed',
      subject_request_id: id,
      controller_id: 'acme',
    });
    expect(() => verifyReceipt(receipt.replace('"confirmed"', '"erased"'), pem)).toThrow(
      'the signature of the receipt',
    );
  });

  it('verifies the newest head, and that it continues one that was kept', async () => {
    const { body: head } = await get('/audit/head');
    verifyHead(head, pem);
    expect(() => verifyHead({ ...head, time: head.time + 1 }, pem)).toThrow('the hash of the head');
    const { body } = await get(`/audit/consistency?from=${firstHead.head_no}`);
    expect(body.from).toEqual(firstHead);
    verifyConsistency(body, pem);
    expect(() => verifyConsistency({ ...body, path: body.path.slice(1) }, pem)).toThrow();
    const { audit_head } = JSON.parse(receipt);
    const between = await get(
      `/v2/audit/consistency?from=${audit_head.head_no}&to=${head.head_no}`,
    );
    verifyConsistency(between.body, pem);
  });

  it('verifies that the log has the receipt itself', async () => {
    const { body } = await get(`/receipts/${id}/proof`);
    verifyReceiptProof(body, receipt, pem);
    expect(() => verifyReceiptProof(body, `${receipt} `, pem)).toThrow('another receipt');
    const inclusion = { ...body.inclusion, entry: body.inclusion.entry.replace('acme', 'evil') };
    expect(() => verifyInclusion(inclusion, body.head)).toThrow('does not lead to the root');
  });

  it('verifies an export, and finds what was removed from it', async () => {
    const { store, vaultKeys } = service.installation;
    const signer = await loadProofSigner(store, createSecretSealer(vaultKeys.ring), Date.now());
    const lines = await Array.fromAsync(exportAudit(store.auditHeads, signer, 0, Date.now()));
    expect(verifyExport(lines.join(''), pem)).toBeGreaterThan(5);
    expect(() => verifyExport(lines.slice(0, -1).join(''), pem)).toThrow('the footer is missing');
    expect(() => verifyExport(lines.toSpliced(2, 1).join(''), pem)).toThrow('the digest');
  });

  it('learns nothing of others from a proof', async () => {
    const { text } = await get(`/receipts/${id}/proof`);
    expect(text.match(/"entry"/g)).toHaveLength(1);
    expect(JSON.parse(JSON.parse(text).inclusion.entry).salt).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('unwrite receipt verify --heads', () => {
  const verify = (...args: string[]) =>
    runHere(['receipt', 'verify', file('receipt.json'), '--key', file('key.pem'), ...args]);
  const heads = (...names: string[]) => names.flatMap((name) => ['--heads', file(name)]);

  beforeAll(async () => {
    writeFileSync(file('receipt.json'), receipt);
    writeFileSync(file('key.pem'), pem);
    writeFileSync(file('first.json'), JSON.stringify(firstHead));
    const { head_no } = JSON.parse(receipt).audit_head;
    const { body: proof } = await get(`/receipts/${id}/proof`);
    writeFileSync(file('proof.json'), JSON.stringify(proof));
    const older = `/audit/consistency?from=${firstHead.head_no}&to=${head_no}`;
    writeFileSync(file('older.json'), (await get(older)).text);
    const newer = `/audit/consistency?from=${head_no}&to=${proof.head.head_no}`;
    writeFileSync(file('newer.json'), (await get(newer)).text);
  });

  it('connects a receipt with heads that were kept, offline', async () => {
    const { exitCode, stdout } = await verify(
      ...heads('first.json', 'older.json', 'newer.json', 'proof.json'),
    );
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('The audit log contains this receipt.'),
    ]);
    expect(stdout).toContain(`It is consistent with head ${firstHead.head_no}.`);
    const json = JSON.parse((await verify(...heads('first.json', 'older.json'), '--json')).stdout);
    expect(json).toMatchObject({
      ok: true,
      in_audit_log: true,
      receipt_in_audit_log: false,
      consistent_with: [firstHead.head_no],
    });
  });

  it('takes several documents as lines of a file', async () => {
    const lines = ['first.json', 'older.json'].map((name) =>
      JSON.stringify(JSON.parse(readFileSync(file(name), 'utf8'))),
    );
    writeFileSync(file('lines.jsonl'), `${lines.join('\n')}\n`);
    expect((await verify(...heads('lines.jsonl'))).exitCode).toBe(0);
  });

  it('ends with 1 for a head that has a member twice', async () => {
    const text = readFileSync(file('older.json'), 'utf8');
    writeFileSync(file('given.json'), text.replace('"head_no":', '"head_no":1,"head_no":'));
    const { exitCode, stderr } = await verify(...heads('given.json'));
    process.exitCode = 0;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('has a member twice')]);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'a head that nothing connects',
      () => firstHead,
      /add the answer of \/audit\/consistency\?from=/,
    ],
    [
      'a changed head',
      () => ({ ...firstHead, time: 1 }),
      /is not signed by the key, or was changed/,
    ],
    ['an added member', () => ({ ...firstHead, note: 'x' }), /a member is missing, added/],
    [
      'an added member of a consistency proof',
      () => ({ ...JSON.parse(readFileSync(file('older.json'), 'utf8')), note: 'x' }),
      /must have these members and no others/,
    ],
    [
      'an added member of a receipt proof',
      () => ({ ...JSON.parse(readFileSync(file('proof.json'), 'utf8')), note: 'x' }),
      /must have these members and no others/,
    ],
    [
      'a consistency proof with a head that does not say what it is',
      () => {
        const proof = JSON.parse(readFileSync(file('older.json'), 'utf8'));
        const { document: _, ...from } = proof.from;
        return { ...proof, from };
      },
      /a head must begin with "document"/,
    ],
    [
      'a receipt proof whose members are in another order',
      () => {
        const { document, ...others } = JSON.parse(readFileSync(file('proof.json'), 'utf8'));
        return { ...others, document };
      },
      /in this order/,
    ],
    ['another document', () => ({ document: 'x' }), /neither a head nor a proof/],
    [
      'a proof of another receipt',
      () => ({ ...JSON.parse(readFileSync(file('proof.json'), 'utf8')), receipt_sha256: '00' }),
      /the proof is of another receipt/,
    ],
    [
      'a proof that leads elsewhere',
      () => ({ ...JSON.parse(readFileSync(file('older.json'), 'utf8')), path: ['00'.repeat(32)] }),
      /does not continue head/,
    ],
  ])('exits with 1 for %s', async (_, document, problem) => {
    writeFileSync(file('given.json'), JSON.stringify(document()));
    const { exitCode, stdout, stderr } = await verify(...heads('given.json'));
    process.exitCode = 0;
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(problem)]);
  });
});

describe('proofs of the audit log', () => {
  it.each(['/audit/head', '/audit/consistency?from=1', `/receipts/${randomUUID()}/proof`])(
    'are 401 without a token: %s',
    async (path) => {
      expectError(await call(`${service.url}${path}`), 401);
    },
  );

  it('are 404 for requests of another controller, in the same bytes as for none', async () => {
    const globex = await makeController(service, 'globex');
    const never = await get(`/receipts/${randomUUID()}/proof`);
    expectError(never, 404);
    expect((await get(`/receipts/${id}/proof`, globex.token)).text).toBe(never.text);
  });

  it.each([
    ['/audit/consistency', 400],
    ['/audit/consistency?from=0', 400],
    ['/audit/consistency?from=1&to=x', 400],
    ['/audit/consistency?from=999999', 404],
  ] as const)('are refused for %s with %i', async (path, status) => {
    expectError(await get(path), status);
  });

  it('are 404 if the heads are in the wrong order', async () => {
    const { body } = await get('/audit/head');
    expectError(await get(`/audit/consistency?from=${body.head_no}&to=${firstHead.head_no}`), 404);
  });
});
