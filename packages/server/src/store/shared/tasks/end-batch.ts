import type { Sql } from '../../sql.ts';

/** A task without an outcome keeps its batch: when the lease expires, another worker takes it over. */
export async function endBatch(sql: Sql, batchNo: number): Promise<void> {
  await sql.run(
    `DELETE FROM @batches WHERE batch_no = :batchNo
       AND NOT EXISTS (SELECT 1 FROM @tasks WHERE batch_no = :batchNo AND state = 'running')`,
    { batchNo },
  );
}
