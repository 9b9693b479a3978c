// Verifies an unpacked export, without an installation: that the list of files was signed, that each file is on it and
// unchanged, and each receipt by itself.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { VerifySignature } from '../../domain/audit/proof-ports.ts';
import { verifySigned } from '../../receipts/verify-receipt.ts';
import { verifyGivenReceipt } from './verify-given-receipt.ts';

export interface ExportVerdict {
  readonly controllerId: string;
  readonly exportedTime: string;
  readonly keyId: string;
  readonly files: number;
  readonly receipts: number;
  /** Empty: everything is as it was signed. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;
const SUM = /^([0-9a-f]{64}) {2}((?:receipts\/|full\/)?[\w-]+\.(?:json|html|csv))$/;
/** Not in the list of files: it is signed itself, or signs the list. */
const BESIDE = ['SHA256SUMS', 'export.json'];

export async function verifyExport(
  folder: string,
  verifySignature: VerifySignature,
): Promise<ExportVerdict> {
  const problems: string[] = [];
  const statement = verifySigned(
    await readFile(join(folder, 'export.json')),
    ['unwrite export'],
    'the statement of an export',
    verifySignature,
  );
  if (!statement.ok) return { ...NOTHING, problems: [`export.json: ${statement.problem}`] };
  const { document } = statement;
  const sums = join(folder, 'SHA256SUMS');
  if ((await hashOf(sums)) !== document.sha256sums)
    problems.push('SHA256SUMS was changed: it is not what export.json was signed with');
  const unseen = new Set(await filesIn(folder));
  let files = 0;
  let receipts = 0;
  for await (const line of createInterface({ input: createReadStream(sums) })) {
    if (problems.length >= MAX_PROBLEMS) break;
    const [, sum, name] = SUM.exec(line) ?? [];
    if (sum === undefined || name === undefined) {
      problems.push('SHA256SUMS has a line that no export has');
      continue;
    }
    files++;
    if (!unseen.delete(name)) problems.push(`${name} is missing`);
    else if ((await hashOf(join(folder, name))) !== sum) problems.push(`${name} was changed`);
    else if (/^(receipts|full)\/.*\.json$/.test(name)) {
      receipts++;
      const given = { name, bytes: await readFile(join(folder, name)) };
      const verdict = verifyGivenReceipt(given, [], verifySignature);
      if (!verdict.ok) problems.push(verdict.problem);
    }
  }
  for (const name of unseen) {
    if (problems.length >= MAX_PROBLEMS) break;
    problems.push(`${name} is not part of the export`);
  }
  return {
    controllerId: String(document.controller_id),
    exportedTime: String(document.exported_time),
    keyId: String(document.key_id),
    files,
    receipts,
    problems,
  };
}

const NOTHING = { controllerId: '', exportedTime: '', keyId: '', files: 0, receipts: 0 };

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !BESIDE.includes(name));
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
