import type { DatabaseSync } from 'node:sqlite';
import type { ControllerId } from '../../domain/controller-id.ts';
import type { StartCommand } from '../../domain/fulfilment-ports.ts';
import type { AppendAudit } from './audit.ts';
import { prepareCountDaily, prepareDailyCount } from './daily-counts.ts';
import { prepareStartRequest, type StartsOfADay } from './start-request.ts';

/** Many requests, inside the caller's transaction. Counted together, since each count is a write. */
export function prepareStartRequests(database: DatabaseSync, appendAudit: AppendAudit) {
  const startRequest = prepareStartRequest(database, appendAudit);
  const countDaily = prepareCountDaily(database);
  const dailyCount = prepareDailyCount(database);

  return (
    commands: readonly StartCommand[],
    now: number,
    mostStartsADay: number | null,
  ): number => {
    const before = new Map<ControllerId, number>();
    const more = new Map<ControllerId, number>();
    const countBefore = (controllerId: ControllerId): number => {
      const known = before.get(controllerId) ?? dailyCount('starts', controllerId, now);
      before.set(controllerId, known);
      return known;
    };
    const starts: StartsOfADay = {
      hasRoom: (controllerId) =>
        mostStartsADay === null ||
        countBefore(controllerId) + (more.get(controllerId) ?? 0) < mostStartsADay,
      count: (controllerId) => more.set(controllerId, (more.get(controllerId) ?? 0) + 1),
    };
    const { length } = commands.filter((command) => startRequest(command, now, starts));
    for (const [controllerId, count] of more) countDaily('starts', controllerId, count, now);
    return length;
  };
}
