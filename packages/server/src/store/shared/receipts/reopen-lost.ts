import type { Database, Sql } from '../../sql.ts';

interface LookedAt {
  readonly requestNo: number;
  readonly isLost: boolean | number;
}

const NO_RECEIPT =
  'NOT EXISTS (SELECT 1 FROM @receipts AS given WHERE given.request_no = requests.request_no)';
const LOST = `status = 'completed' AND receipted_time IS NOT NULL AND ${NO_RECEIPT}`;

/**
 * Reads page by page, because no index covers them: normally there are none. With the first page, refused
 * receipts are tried again, because someone else may have written the refusal.
 */
export async function reopenLost(
  reads: Sql,
  writes: Database,
  after: number,
  max: number,
): Promise<number | undefined> {
  if (after === 0) await writes.run('DELETE FROM @refused_receipts');
  const page = await reads.all<LookedAt>(
    `SELECT request_no AS "requestNo", ${LOST} AS "isLost" FROM @requests AS requests
     WHERE request_no > :after ORDER BY request_no LIMIT :max`,
    { after, max },
  );
  const lost = page.filter(({ isLost }) => Boolean(isLost)).map(({ requestNo }) => requestNo);
  if (lost.length > 0) {
    await writes.run(
      `UPDATE @requests AS requests SET receipted_time = NULL
       WHERE request_no = ANY(:lost::bigint[]) AND ${LOST}`,
      { lost },
    );
  }
  return page.length < max ? undefined : page.at(-1)?.requestNo;
}
