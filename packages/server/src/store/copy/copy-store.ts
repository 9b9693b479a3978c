// Copies a store from SQLite to PostgreSQL: every row, compared afterwards. If it is interrupted, the same
// call continues where it stopped. The target cannot be used before both were found equal.

import type { Clock } from '../../domain/clock.ts';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import type { Database } from '../postgres/database.ts';
import { beginCopy } from './begin-copy.ts';
import { type ComparedTable, compareTable } from './compare-table.ts';
import { copyTable } from './copy-table.ts';
import { filledTables } from './filled-tables.ts';
import { finishCopy, recordComparison } from './finish-copy.ts';
import type { ChunkLimits, CopySource } from './open-source.ts';
import { prepareTarget } from './prepare-target.ts';
import { type CopiedTable, TABLE_NAMES } from './tables.ts';

export interface CopyProgress {
  readonly step: 'copying' | 'comparing';
  readonly table: string;
  readonly done: number;
  readonly all: number;
}

export interface CopyOptions {
  /** Delete what an unfinished copy has written, and start over. */
  readonly fromScratch: boolean;
  readonly clock: Clock;
  readonly limits?: ChunkLimits;
  /** Called between chunks; if it throws, the copy ends. */
  readonly report: (progress: CopyProgress) => void;
}

export interface CopyResult {
  readonly tables: readonly ComparedTable[];
  /** The copy was finished earlier and has only been compared again. */
  readonly wasFinished: boolean;
  /** Rows written by this call. */
  readonly copied: number;
}

/** Memory does not grow with the store. */
const LIMITS: ChunkLimits = { rows: 2000, bytes: 2 * 1024 * 1024 };

export async function copyStore(
  source: CopySource,
  database: Database,
  { fromScratch, clock, limits = LIMITS, report }: CopyOptions,
): Promise<CopyResult> {
  await prepareTarget(database);
  const { isFinished, progress } = await beginCopy(database, source, { fromScratch, now: clock() });
  const all = source.tables.reduce((sum, table) => sum + source.countRows(table), 0);

  function count(step: CopyProgress['step'], before: number) {
    let done = before;
    return ({ name }: CopiedTable) =>
      (rows: number) => {
        done += rows;
        report({ step, table: name, done, all });
      };
  }

  const before = [...progress.values()].reduce((sum, { rows }) => sum + rows, 0);
  let copied = 0;
  if (!isFinished) {
    const counted = count('copying', before);
    for (const table of source.tables) {
      const from = progress.get(table.name) ?? { after: null, rows: 0 };
      const shown = counted(table);
      shown(0);
      await copyTable(source, database, table, {
        from,
        limits,
        copied(rows) {
          copied += rows;
          shown(rows);
        },
      });
    }
  }

  const counted = count('comparing', 0);
  const tables: ComparedTable[] = [];
  for (const table of source.tables) {
    tables.push(await compareTable(source, database, table, { limits, compared: counted(table) }));
  }
  const wasWritten = source.wasWrittenMeanwhile();
  if (!isFinished) {
    await recordComparison(database, tables);
    if (wasWritten) {
      throw new NotPossible(
        `another process wrote to ${source.dataDir} while it was copied; make sure that no command runs on it, and start over with --from-scratch`,
      );
    }
    await requireUnused(database);
    if (tables.every(({ isEqual }) => isEqual)) await finishCopy(database, source, clock());
  }
  if (tables.every(({ isEqual }) => isEqual)) source.markCopied(database.schema, clock());
  return { tables, wasFinished: isFinished, copied };
}

/** A node that had opened the target before the copy began knows nothing of it. */
async function requireUnused(database: Database): Promise<void> {
  const filled = await filledTables(database, database.schema, TABLE_NAMES);
  if (filled.length === 0) return;
  throw new NotPossible(
    `another process uses the target: it has rows in ${filled.join(', ')}, which the copy did not bring; stop every node on it and copy into another schema`,
  );
}
