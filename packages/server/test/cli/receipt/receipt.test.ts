import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../run-here.ts';
import { useShop } from '../use-shop.ts';

const { unwrite, submit, addRows, untilTasks, folder, json } = useShop();
const id = randomUUID();
const file = (name: string) => `${folder()}/${name}`;

beforeAll(async () => {
  addRows('globex', 'jane@example.com', 2);
  await submit('globex', [['email', 'jane@example.com']], id);
  const [paper] = await untilTasks(id, 'globex', 'held', 'erased');
  const why = ['--reason', 'Tax law', '--legal-basis', 'GDPR 17(3)(b)', '--as', 'igor'];
  await json('task', 'retain', String(paper?.task), ...why);
  writeFileSync(file('key.pem'), (await unwrite('audit', 'key')).stdout);
});

describe('unwrite receipt', () => {
  it('prints the signed document, first what was retained', async () => {
    const { exitCode, stdout, stderr } = await unwrite('receipt', id);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      subject_request_id: id,
      controller_id: 'globex',
      retained: [{ system: 'paper', legal_basis: 'GDPR 17(3)(b)', decided_by: 'a person' }],
      totals: { tasks: 2, rows_deleted: 2 },
      systems: [
        { system: 'shop', rows: { deleted: 2 } },
        { system: 'paper', rows: {} },
      ],
    });
    expect(stdout).not.toMatch(/jane|igor|customers/);
    expect((await unwrite('receipt', id, '--json')).stdout).toBe(stdout);
  });

  it('prints the full one for operators, which is the one that the other names', async () => {
    const { stdout: full } = await unwrite('receipt', id, '--full');
    expect(JSON.parse(full)).toMatchObject({
      document: 'unwrite full receipt',
      retained: [{ target: 'paper', legal_basis: 'GDPR 17(3)(b)', by: 'operator:igor' }],
      plan: [{ target: 'shop' }, { target: 'paper' }],
    });
    const { full_receipt_sha256 } = JSON.parse((await unwrite('receipt', id)).stdout);
    expect(createHash('sha256').update(full).digest('hex')).toBe(full_receipt_sha256);
    writeFileSync(file('full.json'), full);
    const { stdout } = await runHere([
      'receipt',
      'verify',
      file('full.json'),
      '--key',
      file('key.pem'),
    ]);
    expect(stdout).toMatch(/^Full receipt of request/);
    expect((await unwrite('receipt', id, '--full', '--html')).stdout).toContain('igor');
    expect((await unwrite('receipt', id, '--html')).stdout).not.toMatch(/igor|customers/);
  });

  it('writes it to a file, as a page too', async () => {
    const output = file('receipt.json');
    const { stdout } = await unwrite('receipt', id, '--output', output);
    expect(stdout).toBe(`Written to ${output}.\n`);
    expect(readFileSync(output, 'utf8')).toBe((await unwrite('receipt', id)).stdout);
    const page = (await unwrite('receipt', id, '--html')).stdout;
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toContain('jane');
  });

  it.each<[string, string[], number, RegExp]>([
    ['a request that never was', [randomUUID()], 1, /there is no request/],
    ['an addendum that there is not', [id, '--number', '2'], 1, /no receipt 2; the request has 1/],
    [
      'two options that cannot be combined',
      [id, '--number', '1', '--all'],
      2,
      /cannot be combined/,
    ],
    ['JSON as a page', [id, '--html', '--json'], 2, /cannot be combined/],
    ['a number that is none', [id, '--number', 'x'], 2, /1 or more/],
  ])('refuses %s', async (_, args, code, message) => {
    const { exitCode, stdout, stderr } = await unwrite('receipt', ...args);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(message);
  });

  it('refuses a request that is not completed', async () => {
    const held = await submit('globex', [['email', 'nobody@example.com']]);
    await untilTasks(held, 'globex', 'held', 'erased');
    const { exitCode, stderr } = await unwrite('receipt', held);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/is in_progress; only completed ones have a receipt/);
  });

  it('gets an addendum when the request is erased again', async () => {
    const again = ['erase-again', '--target', 'shop', '--since', '2020-01-01'];
    await json(...again, '--controller', 'globex');
    await untilTasks(id, 'globex', 'erased', 'erased', 'erased');
    const output = file('all.json');
    const { stdout } = await unwrite('receipt', id, '--all', '--output', output);
    expect(stdout).toBe(`Written to ${output}.\nWritten to ${file('all-2.json')}.\n`);
    const addendum = JSON.parse(readFileSync(file('all-2.json'), 'utf8'));
    expect(addendum).toMatchObject({
      receipt_no: 2,
      previous_receipt: { receipt_no: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      audit_proof: { entry: expect.stringContaining('"action":"request.erased_again"') },
      systems: [{ system: 'shop', run: 2 }],
    });
    const one = await unwrite('receipt', id, '--number', '2');
    expect(one.stdout).toBe(readFileSync(file('all-2.json'), 'utf8'));
    const { stdout: said } = await runHere([
      'receipt',
      'verify',
      file('all-2.json'),
      '--key',
      file('key.pem'),
    ]);
    expect(said).toMatch(
      /^Receipt, addendum 2, of request .*\n.*\nIt follows receipt 1 with SHA-256/,
    );
  });
});

describe('unwrite receipt verify', () => {
  const verify = (name: string, ...args: string[]) =>
    runHere(['receipt', 'verify', file(name), ...args]);

  beforeAll(async () => {
    writeFileSync(file('good.json'), (await unwrite('receipt', id)).stdout);
  });

  it('says what was verified, by this installation’s key or without any installation', async () => {
    const here = await unwrite('receipt', 'verify', file('good.json'));
    expect([here.exitCode, here.stderr]).toEqual([0, '']);
    expect(here.stdout).toContain(
      `Receipt of request ${id} of globex: unchanged since it was signed`,
    );
    const nowhere = ['--key', file('key.pem'), '--data-dir', file('nothing')];
    const offline = await verify('good.json', ...nowhere);
    expect(offline.exitCode).toBe(0);
    expect(existsSync(file('nothing'))).toBe(false);
    const shape = JSON.parse((await verify('good.json', ...nowhere, '--json')).stdout);
    expect(shape).toMatchObject({ ok: true, subject_request_id: id, receipt_no: 1 });
  });

  it('exits with 1 for a receipt that was changed', async () => {
    const text = readFileSync(file('good.json'), 'utf8');
    writeFileSync(file('bad.json'), text.replace('"deleted": 2', '"deleted": 3'));
    const { exitCode, stdout, stderr } = await verify('bad.json', '--key', file('key.pem'));
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /bad\.json does not verify: its signature was not made with the given key/,
    );
  });

  it('exits with 1 for a missing file, and for an invalid key', async () => {
    const missing = await verify('missing.json', '--key', file('key.pem'));
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('(ENOENT)')]);
    const noKey = await verify('good.json', '--key', file('good.json'));
    expect([noKey.exitCode, noKey.stderr]).toEqual([
      1,
      expect.stringContaining('is not a public key'),
    ]);
  });

  it('agrees with OpenSSL, run with the commands in the docs', () => {
    const page = readFileSync(new URL('../../../../../docs/verifying.md', import.meta.url), 'utf8');
    const [, lines = ''] = /```sh\n(sed [\s\S]+?)```/.exec(page) ?? [];
    const script = lines.replaceAll('receipt.json', 'good.json');
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: folder(), encoding: 'utf8' });
    expect(stdout + stderr).toContain('Signature Verified Successfully');
    expect(stderr).toBe('');
  });
});
