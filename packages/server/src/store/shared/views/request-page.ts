// A page of requests. Every statement has a limit on the rows that it reads, for all filters: if few
// of them match, the page is short and says where the next one begins.
import type {
  RequestPageQuery,
  RequestPlace,
  ViewPage,
} from '../../../domain/operator/view-ports.ts';
import type { RequestSummary } from '../../../domain/request/request.ts';
import { conditionsOf, type Sql, type Values } from '../../sql.ts';
import { SUMMARY } from '../requests/catalogue.ts';
import { readRequestsByNumber } from './requests-by-number.ts';

const MAX_SCANNED = 5000;
const FINAL = 'coalesce(completed_time, cancelled_time)';

/** Conditions on columns of the scan. */
const CONDITIONS = {
  controllerId: '"controllerId" = :controllerId',
  regulation: 'regulation = :regulation',
  receivedFrom: '"receivedTime" >= :receivedFrom',
  receivedUntil: '"receivedTime" < :receivedUntil',
};

/** A scan of an index: its condition, and the time by which it is ordered before the number. */
interface Scan {
  readonly table: string;
  readonly where: string;
  readonly time: string;
}

type Listed = RequestSummary & { readonly orderTime: number | null };

export async function readRequestPage(
  sql: Sql,
  query: RequestPageQuery,
): Promise<ViewPage<RequestSummary, RequestPlace>> {
  const { status } = query;
  if (status === undefined) return readRequestsByNumber(sql, query);
  return readScans(sql, scansOf(sql, status), query);
}

function scansOf(sql: Sql, status: NonNullable<RequestPageQuery['status']>): Scan[] {
  const tables = sql.dialect.requestTables;
  switch (status) {
    case 'pending':
    case 'in_progress':
      // Open requests are never in the archive.
      return [{ table: '@requests', where: `status = '${status}'`, time: 'received_time' }];
    case 'cancelled':
      return tables.map((table) => ({
        table,
        where: "status = 'cancelled'",
        time: 'cancelled_time',
      }));
    case 'completed':
      return [
        ...tables.map((table) => ({
          table,
          where: `status = 'completed' AND status IN ('completed', 'cancelled')
            AND again_asked_time IS NULL`,
          time: FINAL,
        })),
        // Few requests: completed ones that are being erased again.
        {
          table: '@requests',
          where: "status = 'completed' AND again_asked_time IS NOT NULL",
          time: FINAL,
        },
      ];
  }
}

async function readScans(
  sql: Sql,
  scans: readonly Scan[],
  query: RequestPageQuery,
): Promise<ViewPage<RequestSummary, RequestPlace>> {
  const { limit, after } = query;
  const filter = conditionsOf(query, CONDITIONS);
  const isFiltered = filter !== 'true';
  const scanned = isFiltered ? MAX_SCANNED : limit + 1;
  const values: Values = {
    ...query,
    afterTime: after?.time ?? Number.MAX_SAFE_INTEGER,
    afterNo: after?.requestNo ?? Number.MAX_SAFE_INTEGER,
    scanned,
    wanted: limit + 1,
  };
  const rows = await sql.all<Listed>(
    `SELECT * FROM (${unionOf(scans)} ORDER BY "orderTime" DESC, "requestNo" DESC LIMIT :scanned)
       AS scanned
     WHERE ${filter} ORDER BY "orderTime" DESC, "requestNo" DESC LIMIT :wanted`,
    values,
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length > limit && last !== undefined)
    return { items: items.map(listed), next: placeOf(last) };
  if (!isFiltered) return { items: items.map(listed), next: null };
  const end = await sql.get<Pick<Listed, 'orderTime' | 'requestNo'>>(
    `SELECT "orderTime", "requestNo" FROM (${unionOf(scans)}) AS scanned
     ORDER BY "orderTime" DESC, "requestNo" DESC LIMIT 1 OFFSET ${MAX_SCANNED - 1}`,
    values,
  );
  return { items: items.map(listed), next: end === undefined ? null : placeOf(end) };
}

function unionOf(scans: readonly Scan[]): string {
  const parts = scans.map(
    ({ table, where, time }) => `SELECT * FROM (
      ${SUMMARY}, ${time} AS "orderTime" FROM ${table}
      WHERE ${where} AND ${time} <= :afterTime AND (${time} < :afterTime OR request_no < :afterNo)
      ORDER BY ${time} DESC, request_no DESC LIMIT :scanned) AS part`,
  );
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) AS parts`;
}

function placeOf({ orderTime, requestNo }: Pick<Listed, 'orderTime' | 'requestNo'>): RequestPlace {
  return { time: orderTime, requestNo };
}

function listed({ orderTime: _, ...request }: Listed): RequestSummary {
  return request;
}
