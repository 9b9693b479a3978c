import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeCertificate } from '../../protocol/test/helpers/make-certificate.ts';
import type { ControllerId } from '../../server/src/domain/tenant/controller-id.ts';
import { call } from '../../server/test/helpers/http/api.ts';
import { makeController } from '../../server/test/helpers/http/controller.ts';
import { startServiceIn, type TestService } from '../../server/test/helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../../server/test/helpers/servers/short-intervals.ts';
import { makeTemporaryFolder } from '../../server/test/helpers/temporary-folder.ts';
import { opendsr } from './helpers/run.ts';

const folder = makeTemporaryFolder();
afterAll(() => folder.remove());
const write = (name: string, text: string | Buffer) => writeFileSync(join(folder.path, name), text);
const verify = (...args: string[]) => opendsr(['verify', ...args], { cwd: folder.path });

describe('opendsr verify signature', () => {
  const BODY = '{"request_status":"completed"}';
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const root = makeCertificate({ commonName: 'Root', isAuthority: true });
  const leaf = makeCertificate({ names: ['p.test'] }, root);
  const signed = (key = privateKey) => sign('sha256', Buffer.from(BODY), key).toString('base64');
  beforeAll(() => {
    write('body.json', BODY);
    write('key.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    write('cert.pem', leaf.pem);
    write('root.pem', root.pem);
    write('signature.txt', `${signed()}\n`);
  });

  it('takes a key, and the signature as a text or a file', async () => {
    const key = ['--key', 'key.pem'];
    expect(await verify('signature', 'body.json', '--signature', signed(), ...key)).toMatchObject({
      exitCode: 0,
      stdout: 'The signature is valid.\n',
    });
    expect(
      (await verify('signature', 'body.json', '--signature', '@signature.txt', ...key)).exitCode,
    ).toBe(0);
    const wrong = await verify('signature', 'key.pem', '--signature', signed(), ...key, '--json');
    expect([wrong.exitCode, JSON.parse(wrong.stdout)]).toEqual([
      1,
      { ok: false, problem: 'it was not made over these bytes with this key' },
    ]);
  });

  it('takes a certificate for a domain', async () => {
    const args = [
      'signature',
      'body.json',
      '--signature',
      signed(leaf.key),
      '--certificate',
      'cert.pem',
    ];
    const domain = ['--domain', 'p.test'];
    expect((await verify(...args, ...domain, '--root', 'root.pem')).exitCode).toBe(0);
    const machine = await verify(...args, ...domain);
    expect([machine.exitCode, machine.stderr]).toEqual([
      1,
      expect.stringContaining('this machine trusts'),
    ]);
    expect((await verify(...args)).stderr).toContain('--certificate needs --domain');
    expect((await verify(...args.slice(0, 4))).stderr).toContain('give --key, or --certificate');
  });
});

describe('opendsr verify receipt and proof', () => {
  let service: TestService;
  let token: string;
  let receipt: string;
  const data = makeTemporaryFolder();
  const until = (isSo: () => Promise<boolean>) =>
    vi.waitUntil(isSo, { timeout: 15_000, interval: 50 });
  const get = (path: string) => call(`${service.url}${path}`, { token });

  beforeAll(async () => {
    service = await startServiceIn(data.path, { cancellationWindow: '0s' }, SHORT_INTERVALS);
    const acme = await makeController(service, 'acme');
    token = acme.token;
    await until(async () => (await get('/audit/head')).status === 200);
    write('head.json', (await get('/audit/head')).text);
    const { head_no } = (await get('/audit/head')).body;
    const id = await acme.created();
    const { tasks, operator } = service.installation.store;
    const filter = { controllerId: 'acme' as ControllerId, subjectRequestId: id, limit: 1 };
    await until(async () => (await tasks.tasks(filter)).length === 1);
    const [task] = await tasks.tasks(filter);
    await operator.confirm(task?.taskNo ?? 0, 'done', { actor: 'operator:olga', now: Date.now() });
    await until(async () => (await get(`/receipts/${id}`)).status === 200);
    receipt = (await get(`/receipts/${id}`)).text;
    write('receipt.json', receipt);
    write('key.pem', (await get('/receipts/key')).text);
    write('keys.json', (await get('/receipts/keys')).text);
    await until(async () => (await get(`/receipts/${id}/proof`)).status === 200);
    write('proof.json', (await get(`/receipts/${id}/proof`)).text);
    write('consistency.json', (await get(`/audit/consistency?from=${head_no}`)).text);
  });
  afterAll(async () => {
    await service.close();
    data.remove();
  });

  it('verifies a receipt, alone and with the proof that the log has it', async () => {
    const { exitCode, stdout } = await verify('receipt', 'receipt.json', '--key', 'key.pem');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('in_audit_log: true')]);
    const args = [
      'receipt',
      'receipt.json',
      '--key',
      'keys.json',
      '--proof',
      'proof.json',
      '--json',
    ];
    expect(JSON.parse((await verify(...args)).stdout)).toMatchObject({
      ok: true,
      controller_id: 'acme',
      receipt_in_audit_log: expect.any(Number),
    });
  });

  it('verifies heads and consistency', async () => {
    expect((await verify('proof', 'head.json', '--key', 'key.pem')).stdout).toContain(
      'The head is valid',
    );
    const { stdout } = await verify('proof', 'consistency.json', '--key', 'keys.json', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, what: 'consistency' });
  });

  it('exits with 1 for what was changed, and 2 for what cannot be read', async () => {
    const forged = receipt.replace('"acme"', '"evil"');
    expect(forged).not.toBe(receipt);
    write('changed.json', forged);
    const changed = await verify('receipt', 'changed.json', '--key', 'key.pem');
    expect([changed.exitCode, changed.stderr]).toEqual([
      1,
      expect.stringContaining('it was changed'),
    ]);
    expect((await verify('receipt', 'missing.json', '--key', 'key.pem')).exitCode).toBe(2);
    const other = ['--key', 'keys.json', '--first-key', '0'.repeat(64)];
    expect((await verify('receipt', 'receipt.json', ...other)).exitCode).toBe(1);
  });
});
