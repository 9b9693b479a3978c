// A page of requests in the order of their arrival: by number, in the ranges that may contain matches.
import type {
  RequestPageQuery,
  RequestPlace,
  ViewPage,
} from '../../../domain/operator/view-ports.ts';
import type { RequestSummary } from '../../../domain/request/request.ts';
import { conditionsOf, type Sql } from '../../sql.ts';
import { SUMMARY } from '../requests/catalogue.ts';
import { requestRanges } from './request-ranges.ts';

/** Numbers have few gaps, so this many numbers are about as many rows. */
const MAX_SCANNED = 10_000;

const CONDITIONS = {
  // Keeps SQLite from using the index of controllers, which it prefers: half of all requests may be of one
  // controller.
  controllerId: "controller_id || '' = :controllerId",
  regulation: 'regulation = :regulation',
  receivedFrom: 'received_time >= :receivedFrom',
  receivedUntil: 'received_time < :receivedUntil',
};

export async function readRequestsByNumber(
  sql: Sql,
  query: RequestPageQuery,
): Promise<ViewPage<RequestSummary, RequestPlace>> {
  const { limit, after } = query;
  const filter = conditionsOf(query, CONDITIONS);
  const ends = await numbers(sql);
  const items: RequestSummary[] = [];
  const { ranges, next } = await requestRanges(sql, query);
  for (const range of ranges) {
    const high = Math.min(range.high, after?.requestNo ?? ends.high, ends.high);
    const low = Math.max(range.low, ends.low);
    if (high <= low) continue;
    const isLimited = filter !== 'true' && !range.isSmall;
    const from = isLimited ? Math.max(low, high - MAX_SCANNED) : low;
    const wanted = limit + 1 - items.length;
    items.push(
      ...(await sql.all<RequestSummary>(
        `${SUMMARY} FROM @all_requests
         WHERE request_no >= :from AND request_no < :high AND ${filter}
         ORDER BY request_no DESC LIMIT :wanted`,
        { ...query, from, high, wanted },
      )),
    );
    const last = items[limit - 1];
    if (items.length > limit && last !== undefined) {
      return { items: items.slice(0, limit), next: { time: null, requestNo: last.requestNo } };
    }
    if (from > low) return { items, next: { time: null, requestNo: from } };
  }
  return { items, next };
}

/** `high` is not included. */
async function numbers(sql: Sql): Promise<{ low: number; high: number }> {
  const ends = { low: Number.MAX_SAFE_INTEGER, high: 0 };
  for (const table of sql.dialect.requestTables) {
    const row = await sql.get<{ first: number | null; last: number | null }>(
      `SELECT (SELECT min(request_no) FROM ${table}) AS first,
              (SELECT max(request_no) FROM ${table}) AS last`,
    );
    ends.low = Math.min(ends.low, row?.first ?? ends.low);
    ends.high = Math.max(ends.high, (row?.last ?? -1) + 1);
  }
  return ends;
}
