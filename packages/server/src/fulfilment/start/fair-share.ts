// Thousands of due requests of one controller must not delay those of another: from time to time the sweep also
// looks behind them, and every controller found there gets a share of the starts.
import type { DueRequest, FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';

/** Skipping a hundred thousand requests takes a tenth of a second, so it is not done on every sweep. */
const LOOK_EVERY_MS = 10_000;
/** Pages to read behind controllers with many requests. */
const MAX_LOOKS = 5;
/** The share of a page above which a controller has so many requests that the next page leaves it out. */
const MANY = 0.1;

export function createFairShare(dueRequests: FulfilmentStore['dueRequests'], max: number) {
  let lookedTime = Number.NEGATIVE_INFINITY;

  async function waitingBehind(
    oldest: readonly DueRequest[],
    before: number,
    leaveOut: readonly ControllerId[],
  ): Promise<DueRequest[]> {
    const found: DueRequest[] = [];
    const out = new Set(leaveOut);
    for (let page = oldest, looks = 0; page.length === max && looks < MAX_LOOKS; looks++) {
      const many = controllersWithMany(page, max * MANY).filter((id) => !out.has(id));
      if (many.length === 0) break;
      for (const controllerId of many) out.add(controllerId);
      page = await dueRequests(before, max, [...out]);
      found.push(...page);
    }
    return found;
  }

  /** Returns the oldest requests; some of them give way if other controllers wait behind them. */
  return async (
    oldest: readonly DueRequest[],
    before: number,
    leaveOut: readonly ControllerId[],
    now: number,
  ): Promise<readonly DueRequest[]> => {
    if (Math.abs(now - lookedTime) < LOOK_EVERY_MS) return oldest;
    lookedTime = now;
    return inTurns([...oldest, ...(await waitingBehind(oldest, before, leaveOut))], max);
  };
}

function controllersWithMany(requests: readonly DueRequest[], many: number): ControllerId[] {
  const byController = Map.groupBy(requests, ({ controllerId }) => controllerId);
  return [...byController].flatMap(([id, { length }]) => (length > many ? [id] : []));
}

/** The oldest of each controller, then the second oldest of each, and so on. */
function inTurns(requests: readonly DueRequest[], max: number): DueRequest[] {
  const once = new Map(requests.map((request) => [request.requestNo, request]));
  const queues = [...Map.groupBy(once.values(), ({ controllerId }) => controllerId).values()];
  const chosen: DueRequest[] = [];
  for (let turn = 0; chosen.length < Math.min(max, once.size); turn++) {
    chosen.push(...queues.flatMap((queue) => queue[turn] ?? []));
  }
  return chosen.slice(0, max);
}
