// Against a real Unwrite: the whole life of a request, its receipt and the proofs of the audit log.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ControllerId } from '../../server/src/domain/tenant/controller-id.ts';
import { startServiceIn, type TestService } from '../../server/test/helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../../server/test/helpers/servers/short-intervals.ts';
import { makeTemporaryFolder } from '../../server/test/helpers/temporary-folder.ts';
import {
  ConflictError,
  createProofKeys,
  ErasureClient,
  InvalidRequestError,
  NotFoundError,
  type ProofKeys,
  readPublishedKeys,
  TokenRefusedError,
  verifyConsistency,
  verifyHead,
  verifyInclusion,
  verifyReceipt,
} from '../src/index.ts';
import { REQUEST } from './helpers/processor.ts';

const folder = makeTemporaryFolder();
let service: TestService;
let client: ErasureClient;
let options: ConstructorParameters<typeof ErasureClient>[0];
let keys: ProofKeys;
let keyList: string;

beforeAll(async () => {
  service = await startServiceIn(folder.path, {}, SHORT_INTERVALS);
  const { client_id, client_secret, audience } = await service.client('acme');
  options = {
    baseUrl: service.url,
    tokenUrl: `${service.url}/oauth/token`,
    clientId: client_id,
    clientSecret: client_secret,
    audience,
  };
  client = new ErasureClient(options);
  keyList = await textOf('/receipts/keys');
  keys = await createProofKeys(keyList);
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

async function textOf(path: string): Promise<string> {
  const { status, bytes } = await client.send({ path });
  expect(status).toBe(200);
  return Buffer.from(bytes).toString();
}

const until = (isSo: () => Promise<boolean>) =>
  vi.waitUntil(isSo, { timeout: 15_000, interval: 50 });

/** As an operator: starts it, and confirms that it was erased by hand. */
async function complete(id: string): Promise<void> {
  const { tasks, operator, clock } = service.installation.store;
  const by = { actor: 'operator:olga', now: clock() };
  const key = { controllerId: 'acme' as ControllerId, subjectRequestId: id };
  await operator.askStart(key as never, by);
  const filter = { ...key, limit: 1 };
  await until(async () => (await tasks.tasks(filter)).length === 1);
  const [task] = await tasks.tasks(filter);
  await operator.confirm(task?.taskNo ?? 0, 'done', { ...by, now: clock() });
}

describe('a client of Unwrite', () => {
  it('discovers, submits, asks, cancels', async () => {
    expect((await client.discover()).body.supported_subject_request_types).toEqual(['erasure']);
    const { subjectRequestId: id, outcome } = await client.submit(REQUEST);
    expect(outcome).toBe('created');
    expect((await client.status(id)).body.request_status).toBe('pending');
    expect((await client.cancel(id)).answer.body.controller_id).toBe('acme');
    await expect(client.waitUntil(id, 'completed')).rejects.toMatchObject({ reason: 'cancelled' });
    expect((await client.cancel(id)).outcome).toBe('cancelled_before');
  });

  it('meets the errors of the contract', async () => {
    const { subjectRequestId: id } = await client.submit(REQUEST);
    await expect(client.submit({ ...REQUEST, subject_request_id: id })).rejects.toThrow(
      ConflictError,
    );
    await expect(client.submit({ ...REQUEST, regulation: 'x' as 'gdpr' })).rejects.toThrow(
      InvalidRequestError,
    );
    await expect(client.status(crypto.randomUUID())).rejects.toThrow(NotFoundError);
    await expect(client.receipt(id)).rejects.toThrow(NotFoundError);
    const stranger = new ErasureClient({ ...options, clientSecret: 'wrong' } as typeof options);
    await expect(stranger.discover()).rejects.toThrow(TokenRefusedError);
  });

  it('waits for the end, and verifies the receipt with its head and proofs', async () => {
    const { subjectRequestId: id } = await client.submit(REQUEST);
    const waiting = client.waitUntil(id, 'completed', { minIntervalMs: 100, maxIntervalMs: 100 });
    await complete(id);
    expect((await waiting).body.request_status).toBe('completed');
    const receipt = await client.receipt(id);
    expect(receipt.body).toMatchObject({ document: 'unwrite receipt', subject_request_id: id });
    const verified = await verifyReceipt(receipt.bytes, keys);
    expect(verified).toMatchObject({ isCovered: true, loggedIn: undefined });
    const path = `/receipts/${id}/proof`;
    await until(async () => (await client.send({ path })).status === 200);
    const logProof = await textOf(path);
    const { loggedIn, head } = await verifyReceipt(receipt.bytes, keys, { logProof });
    expect(loggedIn?.head_no).toBeGreaterThanOrEqual(head?.head_no ?? 0);

    const text = Buffer.from(receipt.bytes).toString();
    for (const changed of [
      text.replace('"confirmed"', '"erased"'),
      text.replace('  "document"', ' "document"'),
      JSON.stringify(receipt.body),
      text.replace('"version": 1', '"version": 2'),
      text.replace('"version": 1', '"version": 1,\n  "version": 1'),
    ])
      await expect(verifyReceipt(changed, keys)).rejects.toThrow(/.+/);
    const other = logProof.replace(/"receipt_sha256":"../, '"receipt_sha256":"zz');
    await expect(verifyReceipt(text, keys, { logProof: other })).rejects.toThrow('another receipt');
  });

  it('verifies heads, and that one continues another', async () => {
    await until(async () => (await client.send({ path: '/audit/head' })).status === 200);
    const first = await textOf('/audit/head');
    const { head_no: from } = await verifyHead(first, keys);
    await client.submit(REQUEST);
    await until(async () => (await verifyHead(await textOf('/audit/head'), keys)).head_no > from);
    const proof = await textOf(`/audit/consistency?from=${from}`);
    expect((await verifyConsistency(proof, keys)).from.head_no).toBe(from);

    const time = JSON.parse(first).time;
    const forged = first.replace(`"time":${time}`, `"time":${time + 1}`);
    await expect(verifyHead(forged, keys)).rejects.toThrow('not signed by a given key');
    const { path, ...rest } = JSON.parse(proof);
    const shorter = JSON.stringify({ ...rest, path: path.slice(1) });
    await expect(verifyConsistency(shorter, keys)).rejects.toThrow('does not continue');
    const added = JSON.stringify({ ...rest, path, note: 'x' });
    await expect(verifyConsistency(added, keys)).rejects.toThrow('no others');
  });

  it('finds a row that was changed in a proof', async () => {
    const { subjectRequestId: id } = await client.submit(REQUEST);
    await complete(id);
    await client.waitUntil(id, 'completed', { minIntervalMs: 50, maxIntervalMs: 50 });
    const { audit_proof, audit_head } = (await client.receipt(id)).body;
    const head = audit_head as never;
    if (audit_proof == null) throw new Error('the receipt has no proof');
    expect(await verifyInclusion(audit_proof, head)).toMatchObject({ controller_id: 'acme' });
    const entry = audit_proof.entry.replace('acme', 'evil');
    await expect(verifyInclusion({ ...audit_proof, entry }, head)).rejects.toThrow('the root');
    const leaf_index = audit_proof.leaf_index + 1;
    await expect(verifyInclusion({ ...audit_proof, leaf_index }, head)).rejects.toThrow('the root');
  });

  it('takes the published keys only as they were signed, and from the first that was kept', async () => {
    const [only = ''] = await readPublishedKeys(keyList);
    expect(only).toContain('BEGIN PUBLIC KEY');
    const { key_id } = JSON.parse(keyList).keys[0];
    await createProofKeys(keyList, { first: key_id });
    await expect(createProofKeys(keyList, { first: '0'.repeat(64) })).rejects.toThrow('kept');
    const later = keyList.replace(/"created_time":"20/, '"created_time":"21');
    await expect(readPublishedKeys(later)).rejects.toThrow('key 1 is not signed');
    const head = await textOf('/audit/head');
    const others = await createProofKeys([]);
    await expect(verifyHead(head, others)).rejects.toThrow('not signed by a given key');
  });
});
