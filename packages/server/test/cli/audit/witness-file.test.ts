import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { lastWitnessed } from '../../../src/audit/witness/witness-file.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import { backUpStore, restoreStore } from '../store/back-up-store.ts';
import { useInstallation } from '../use-installation.ts';

const installation = useInstallation();

it('a server appends every head to audit.witness_file, also the last one before it stops', async () => {
  await installation.client('acme');
  const server = await installation.serve('--audit-witness-file', 'heads.jsonl');
  await installation.client('globex');
  await server.kill('SIGTERM');
  const { dataDir } = installation.options();
  const lines = readFileSync(`${dataDir}/heads.jsonl`, 'utf8').trimEnd().split('\n');
  const heads: { head_no: number; hash: string }[] = lines.map((line) => JSON.parse(line));
  const { head_no, hash } = JSON.parse(readFileSync(`${dataDir}/audit-head.json`, 'utf8'));
  expect(heads.map((head) => head.head_no)).toEqual(heads.map((_, index) => index + 1));
  expect(heads.at(-1)).toMatchObject({ head_no, hash });
  const verified = await installation.json('audit', 'verify');
  expect(verified).toMatchObject({ unsealed_rows: 0, last_head: { head_no } });
});

it('a line that a full disk has cut off is not continued', async () => {
  const file = `${installation.options().dataDir}/heads.jsonl`;
  const known = lastWitnessed(file);
  appendFileSync(file, '{"document":"unwrite au');
  expect(lastWitnessed(file)).toEqual(known);
  const server = await installation.serve('--audit-witness-file', 'heads.jsonl');
  await installation.client('initech');
  await server.kill('SIGTERM');
  expect(lastWitnessed(file)?.headNo).toBeGreaterThan(known?.headNo ?? 0);
  expect(readFileSync(file, 'utf8')).toContain('{"document":"unwrite au\n{"document":');
});

it('a server says at its start if audit.witness_file has no head although the store has some', async () => {
  const elsewhere = makeTemporaryFolder();
  const witness = ['--audit-witness-file', `${elsewhere.path}/heads.jsonl`];
  const warning = 'audit.witness_file has no head that can be read';
  const first = await installation.serve(...witness);
  await installation.client('stark');
  await first.kill('SIGTERM');
  expect(first.output()).toContain(warning);
  const second = await installation.serve(...witness);
  await second.kill('SIGTERM');
  expect(second.output()).not.toContain(warning);
  elsewhere.remove();
});

it.skipIf(process.platform === 'win32')(
  'a server whose audit.witness_file is a pipe starts, and says that heads cannot be appended',
  async () => {
    const file = `${installation.options().dataDir}/pipe`;
    execFileSync('mkfifo', [file]);
    const server = await installation.serve('--audit-witness-file', file);
    await installation.client('hooli');
    await server.kill('SIGTERM');
    expect(server.output()).toContain('a head could not be appended to audit.witness_file');
  },
);

it('a store that was restored with the data folder is noticed by the heads in audit.witness_file', async () => {
  const elsewhere = makeTemporaryFolder();
  const { dataDir } = installation.options();
  const witness = ['--audit-witness-file', `${elsewhere.path}/heads.jsonl`];
  await (await installation.serve(...witness)).kill('SIGTERM');
  await backUpStore(installation);
  cpSync(dataDir, `${elsewhere.path}/data`, { recursive: true });
  const before = await installation.serve(...witness);
  await installation.client('umbrella');
  await before.kill('SIGTERM');
  rmSync(dataDir, { recursive: true });
  cpSync(`${elsewhere.path}/data`, dataDir, { recursive: true });
  await restoreStore(installation);

  const restored = await installation.serve(...witness);
  expect(await installation.json('restored', 'review')).toMatchObject({
    went_back: true,
    reason: expect.stringMatching(/^audit.witness_file has head \d+, which the store lacks$/),
  });
  expect(await installation.json('restored', 'confirm')).toEqual({ cancelled: 0 });
  await restored.kill('SIGTERM');
  const again = await installation.serve(...witness);
  expect(await installation.json('restored', 'review')).toMatchObject({ went_back: false });
  await again.kill('SIGTERM');
  elsewhere.remove();
});
