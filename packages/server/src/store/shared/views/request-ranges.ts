// The ranges of numbers in which the requests of a list are, newest first: by the days on which they arrived,
// and by the blocks in which a controller has any. Numbers that are not counted yet are always read.

import { dayOf } from '../../../domain/limit/day.ts';
import type { RequestPageQuery, RequestPlace } from '../../../domain/operator/view-ports.ts';
import { BLOCK } from '../../../domain/statistics/count-arrivals.ts';
import type { Sql } from '../../sql.ts';

/** `high` is not included. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  /** The range may be read as a whole. */
  readonly isSmall: boolean;
}

interface Ranges {
  readonly ranges: readonly NumberRange[];
  /** Where to continue, if there are more blocks than one page reads. */
  readonly next: RequestPlace | null;
}

const MAX_BLOCKS = 64;
const ALL: NumberRange = { low: 0, high: Number.MAX_SAFE_INTEGER, isSmall: false };

export async function requestRanges(sql: Sql, query: RequestPageQuery): Promise<Ranges> {
  const { controllerId, receivedFrom, receivedUntil, after } = query;
  const isOfAll = controllerId === undefined;
  if (isOfAll && receivedFrom === undefined && receivedUntil === undefined) {
    return { ranges: [ALL], next: null };
  }
  const seen = await seenRequestNo(sql);
  const days = await rangeOfDays(sql, query);
  const newer = { ...ALL, low: seen + 1 };
  const counted = days === undefined ? [] : [days];
  if (isOfAll) return { ranges: [newer, ...counted], next: null };
  const blocks = await blocksIn(sql, controllerId, days, Math.min(after?.requestNo ?? seen, seen));
  const ranges = blocks.slice(0, MAX_BLOCKS).map((block) => ({
    low: block * BLOCK,
    high: Math.min((block + 1) * BLOCK, seen + 1),
    isSmall: true,
  }));
  const following = blocks[MAX_BLOCKS];
  const next = following === undefined ? null : { time: null, requestNo: (following + 1) * BLOCK };
  return { ranges: [newer, ...joined(ranges)], next };
}

async function seenRequestNo(sql: Sql): Promise<number> {
  const row = await sql.get<{ seen: number }>(
    'SELECT seen_request_no AS seen FROM @statistics_progress',
  );
  return row?.seen ?? 0;
}

/** Undefined: no counted request arrived on these days. */
async function rangeOfDays(
  sql: Sql,
  { receivedFrom, receivedUntil }: RequestPageQuery,
): Promise<NumberRange | undefined> {
  if (receivedFrom === undefined && receivedUntil === undefined) return ALL;
  const row = await sql.get<{ first: number | null; last: number | null }>(
    `SELECT min(first_request_no) AS first, max(last_request_no) AS last FROM @daily_arrivals
     WHERE day BETWEEN :from AND :until`,
    {
      from: receivedFrom === undefined ? 0 : dayOf(receivedFrom),
      until: receivedUntil === undefined ? Number.MAX_SAFE_INTEGER : dayOf(receivedUntil),
    },
  );
  const { first = null, last = null } = row ?? {};
  return first === null || last === null
    ? undefined
    : { low: first, high: last + 1, isSmall: false };
}

async function blocksIn(
  sql: Sql,
  controllerId: string,
  days: NumberRange | undefined,
  before: number,
): Promise<number[]> {
  if (days === undefined) return [];
  const rows = await sql.all<{ block: number }>(
    `SELECT block FROM @request_blocks
     WHERE controller_id = :controllerId AND block BETWEEN :from AND :until
     ORDER BY block DESC LIMIT ${MAX_BLOCKS + 1}`,
    {
      controllerId,
      from: Math.floor(days.low / BLOCK),
      until: Math.floor(Math.min(days.high, before) / BLOCK),
    },
  );
  return rows.map(({ block }) => block);
}

/** Adjacent ranges are read together. */
function joined(ranges: readonly NumberRange[]): NumberRange[] {
  const result: NumberRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last !== undefined && last.low === range.high)
      result.splice(-1, 1, { ...last, low: range.low });
    else result.push(range);
  }
  return result;
}
