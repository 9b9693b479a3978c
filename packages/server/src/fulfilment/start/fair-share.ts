// One controller's thousands do not hold up another's one: now and then, those that wait behind them are looked for, and all controllers
// that are found then have a share of what starts.
import type { DueRequest, FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';

/** Skipping a hundred thousand requests takes a tenth of a second. */
const LOOK_EVERY_MS = 10_000;
/** Controllers with many requests, one behind the other. */
const MAX_LOOKS = 5;
/** Of what starts at once: who has more is looked past. */
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

  /** Of the oldest, as many as there are; fewer where others wait behind them. */
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
