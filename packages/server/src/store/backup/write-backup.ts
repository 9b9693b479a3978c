import { createHash } from 'node:crypto';
import {
  type BackedTable,
  type BackupHeader,
  type BackupManifest,
  FORMAT,
  rowLine,
  type TableDigest,
} from './backup-format.ts';
import type { StoreSnapshot } from './snapshot.ts';

export interface BackupOutput {
  /** Resolves when more can be taken. */
  write(text: string): Promise<void>;
}

/** Called between chunks; if it throws, the backup ends. */
export type ReportRows = (table: string, done: number) => void;

export async function writeBackup(
  snapshot: StoreSnapshot,
  header: BackupHeader,
  output: BackupOutput,
  report: ReportRows,
): Promise<BackupManifest> {
  const whole = createHash('sha256');
  async function writeOut(text: string): Promise<void> {
    whole.update(text);
    await output.write(text);
  }

  await writeOut(`${headerLine(header)}\n`);
  const tables: Record<string, TableDigest> = {};
  let all = 0;
  for (const table of snapshot.tables) {
    await writeOut(`${tableLine(table)}\n`);
    const digest = createHash('sha256');
    let rows = 0;
    for await (const some of snapshot.rows(table)) {
      const text = some.map((row) => `${rowLine(row)}\n`).join('');
      digest.update(text);
      await writeOut(text);
      rows += some.length;
      all += some.length;
      report(table.name, all);
    }
    tables[table.name] = { rows, sha256: digest.digest('hex') };
  }
  const { sequences } = snapshot;
  const manifest = { rows: all, tables, sequences };
  const text = JSON.stringify(manifest);
  whole.update(text);
  await output.write(`${JSON.stringify({ manifest, sha256: whole.digest('hex') })}\n`);
  return manifest;
}

function headerLine(header: BackupHeader): string {
  return JSON.stringify({
    unwrite: 'backup',
    format: FORMAT,
    kind: header.kind,
    store: header.storeId,
    time: new Date(header.time).toISOString(),
    version: header.version,
    migrations: header.migrations.map(({ number, name, digest }) => ({ number, name, digest })),
    master_keys: header.masterKeyIds,
  });
}

function tableLine({ name, columns }: BackedTable): string {
  return JSON.stringify({ table: name, columns: columns.map((it) => [it.name, it.kind]) });
}
