import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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
