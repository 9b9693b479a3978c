// Copies one table, chunk by chunk in the order of its keys. A chunk and the progress are written in one
// statement: after an interruption the next call continues from there.
import { setImmediate } from 'node:timers/promises';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import type { Database } from '../postgres/database.ts';
import type { TableProgress } from './begin-copy.ts';
import { writeValues } from './canonical.ts';
import type { ChunkLimits, CopySource } from './open-source.ts';
import { type CopiedTable, type Key, keyOf, type Row } from './tables.ts';

export async function copyTable(
  source: CopySource,
  database: Database,
  table: CopiedTable,
  {
    from,
    limits,
    copied,
  }: {
    readonly from: TableProgress;
    readonly limits: ChunkLimits;
    readonly copied: (rows: number) => void;
  },
): Promise<void> {
  let after = from.after;
  let chunk = source.read(table, after, limits);
  for (let last = chunk.at(-1); last !== undefined; last = chunk.at(-1)) {
    const end = keyOf(table, last);
    const { length } = chunk;
    // The next chunk is read while this one is being written.
    [, chunk] = await Promise.all([
      writeChunk(database, table, { chunk, after, end }),
      setImmediate().then(() => source.read(table, end, limits)),
    ]);
    after = end;
    copied(length);
  }
}

interface Chunk {
  readonly chunk: readonly Row[];
  readonly after: Key | null;
  readonly end: Key;
}

async function writeChunk(database: Database, table: CopiedTable, part: Chunk): Promise<void> {
  const { chunk, after, end } = part;
  const names = table.columns.map(({ name }) => name).join(', ');
  const arrays = table.columns.map(({ name, type }) => `:${name}::${type}[]`).join(', ');
  const written = await database.run(
    `WITH gone_on AS (
       UPDATE @copied_tables SET after_key = :endKey, rows = rows + :more, is_done = false
       WHERE table_name = :tableName AND after_key IS NOT DISTINCT FROM :afterKey RETURNING 1
     )
     INSERT INTO @${table.name} (${names})
     SELECT it.* FROM gone_on, unnest(${arrays}) AS it`,
    {
      ...Object.fromEntries(table.columns.map(({ name }, i) => [name, chunk.map((row) => row[i])])),
      tableName: table.name,
      afterKey: after && writeValues(after),
      endKey: writeValues(end),
      more: chunk.length,
    },
  );
  if (written !== chunk.length) {
    throw new NotPossible('another copy into this target is under way; let one of them finish');
  }
}
