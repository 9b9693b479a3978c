// What a page of new requests adds to the counts.
import { dayOf } from '../limit/day.ts';

/** Request numbers per block; the migration of request_blocks explains it. */
export const BLOCK = 1024;

export interface ArrivedRequest {
  readonly requestNo: number;
  readonly controllerId: string;
  readonly receivedTime: number;
}

export interface DailyArrivals {
  readonly day: number;
  readonly controllerId: string;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/**
 * The rows up to the last request that is old enough. If a lower number may be committed after a higher one,
 * younger requests are left for later. A request from the future came before the clock was set back: it counts.
 */
export function settledArrivals<Row extends ArrivedRequest>(
  rows: readonly Row[],
  now: number,
  lateNumbersMs: number,
): readonly Row[] {
  const last = rows.findLastIndex(
    ({ receivedTime }) => Math.abs(now - receivedTime) >= lateNumbersMs,
  );
  return rows.slice(0, last + 1);
}

export function arrivalsOf(rows: readonly ArrivedRequest[]): DailyArrivals[] {
  const sums = new Map<string, DailyArrivals>();
  for (const { requestNo, controllerId, receivedTime } of rows) {
    const day = dayOf(receivedTime);
    const key = `${day} ${controllerId}`;
    const sum = sums.get(key) ?? {
      day,
      controllerId,
      count: 0,
      first: requestNo,
      last: requestNo,
    };
    const first = Math.min(sum.first, requestNo);
    const last = Math.max(sum.last, requestNo);
    sums.set(key, { ...sum, count: sum.count + 1, first, last });
  }
  return [...sums.values()];
}

export function blocksOf(rows: readonly ArrivedRequest[]) {
  const blocks = new Map<string, { readonly controllerId: string; readonly block: number }>();
  for (const { requestNo, controllerId } of rows) {
    const block = Math.floor(requestNo / BLOCK);
    blocks.set(`${block} ${controllerId}`, { controllerId, block });
  }
  return [...blocks.values()];
}
