// Reads a backup and compares every digest. What was read before the last line may still be wrong: only a reader that was
// given the manifest has seen a whole backup.
import { createHash, type Hash } from 'node:crypto';
import {
  type BackedTable,
  BackupDamaged,
  type BackupHeader,
  type BackupManifest,
  type BackupPart,
  type ColumnKind,
  FORMAT,
  type Row,
  rowOf,
  type TableDigest,
} from './backup-format.ts';
import { linesOf } from './lines-of.ts';

const ROWS_AT_ONCE = 500;
const CUT =
  'it ends before its manifest: it was cut off, or is still being made. Take another backup';
const CHANGED = 'it was changed or damaged after it was made. Take another backup';
const NOT_OURS =
  'it was not made by "unwrite backup create". If it is encrypted or compressed, pipe its content to this command, with - as the file';

interface OpenTable {
  readonly table: BackedTable;
  readonly digest: Hash;
  rows: number;
}

export async function* readBackup(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<BackupPart> {
  const whole = createHash('sha256');
  const tables: Record<string, TableDigest> = {};
  let header: BackupHeader | undefined;
  let current: OpenTable | undefined;
  let some: Row[] = [];
  let isWhole = false;

  for await (const line of linesOf(chunks)) {
    if (isWhole) throw new BackupDamaged('there is something after its manifest');
    if (header === undefined) {
      whole.update(`${line}\n`);
      header = headerOf(line);
      yield { header };
      continue;
    }
    if (line.startsWith('[')) {
      if (current === undefined) throw new BackupDamaged(CHANGED);
      whole.update(`${line}\n`);
      current.digest.update(`${line}\n`);
      current.rows++;
      some.push(readRow(current.table, line));
      if (some.length < ROWS_AT_ONCE) continue;
    }
    if (current !== undefined && some.length > 0) yield { table: current.table, rows: some };
    some = [];
    if (line.startsWith('[')) continue;
    if (current !== undefined) {
      tables[current.table.name] = { rows: current.rows, sha256: current.digest.digest('hex') };
    }
    const object = parse(line, CHANGED);
    if (object.manifest === undefined) {
      whole.update(`${line}\n`);
      current = { table: tableOf(object), digest: createHash('sha256'), rows: 0 };
      continue;
    }
    yield { manifest: manifestOf(object, tables, whole) };
    isWhole = true;
  }
  if (!isWhole) throw new BackupDamaged(header === undefined ? `it is empty, or ${NOT_OURS}` : CUT);
}

function parse(line: string, problem: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line);
  } catch {
    throw new BackupDamaged(problem);
  }
}

function readRow(table: BackedTable, line: string): Row {
  try {
    return rowOf(table, line);
  } catch {
    throw new BackupDamaged(CHANGED);
  }
}

function headerOf(line: string): BackupHeader {
  const given = parse(line.startsWith('{"unwrite":"backup"') ? line : '', NOT_OURS);
  if (given.format !== FORMAT) {
    throw new BackupDamaged(
      `it has format ${given.format}, which this version does not read. Use version ${given.version} of Unwrite, or a newer one`,
    );
  }
  return {
    kind: given.kind as BackupHeader['kind'],
    storeId: String(given.store),
    time: Date.parse(String(given.time)),
    version: String(given.version),
    migrations: given.migrations as BackupHeader['migrations'],
    masterKeyIds: given.master_keys as readonly string[],
  };
}

function tableOf({ table, columns }: Readonly<Record<string, unknown>>): BackedTable {
  if (typeof table !== 'string' || !Array.isArray(columns)) throw new BackupDamaged(CHANGED);
  const pairs = columns as readonly (readonly [string, ColumnKind])[];
  return { name: table, columns: pairs.map(([name, kind]) => ({ name, kind })) };
}

function manifestOf(
  line: Readonly<Record<string, unknown>>,
  tables: Readonly<Record<string, TableDigest>>,
  whole: Hash,
): BackupManifest {
  const manifest = line.manifest as BackupManifest;
  whole.update(JSON.stringify(manifest));
  const isSame = JSON.stringify(manifest.tables) === JSON.stringify(tables);
  if (!isSame || whole.digest('hex') !== line.sha256) throw new BackupDamaged(CHANGED);
  return manifest;
}
