// Which controllers have due tasks at a target, so that each gets a share of the next batch. The index is
// searched from one controller to the next: the cost does not depend on how many tasks each has.
import { DUE_STATES } from '../../../domain/task/open-tasks.ts';

/** Further controllers are served by the next batches. */
export const MAX_SHARES = 100;

/** In the form in which the indexes of due tasks have it. */
export const IN_DUE_STATE = `state IN (${DUE_STATES.map((state) => `'${state}'`).join(', ')})`;

const DUE = (tasks: string) => `FROM ${tasks}
  WHERE target = :target AND phase = :phase AND ${IN_DUE_STATE} AND due_time IS NOT NULL`;

/** The controllers after `:after`, in order. */
export const dueControllers = (tasks: string) => `
  WITH RECURSIVE waiting (controller) AS (
    SELECT min(owner_id) ${DUE(tasks)} AND owner_id > :after
    UNION ALL
    SELECT (SELECT min(owner_id) ${DUE(tasks)} AND owner_id > waiting.controller)
    FROM waiting WHERE waiting.controller IS NOT NULL
  )
  SELECT controller FROM waiting
  WHERE controller IS NOT NULL
    AND EXISTS (SELECT 1 ${DUE(tasks)} AND owner_id = waiting.controller AND due_time <= :now)
  LIMIT :max`;

export interface Shares {
  readonly controllers: readonly string[];
  /** Number of tasks of each controller; the rest of the batch goes to the next controllers. */
  readonly each: number;
}

/** Round robin: if there are more controllers than shares, the next batch starts after the last one served. */
export function createRoundRobin() {
  const lastServed = new Map<string, string>();
  return {
    after: (target: string, phase: string) => lastServed.get(`${phase} ${target}`) ?? '',
    /**
     * `found`: the controllers after the last one served, followed by those from the beginning. Returns no
     * shares if only one controller has due tasks.
     */
    share(
      target: string,
      phase: string,
      found: readonly string[],
      max: number,
    ): Shares | undefined {
      const controllers = [...new Set(found)].slice(0, Math.min(max, MAX_SHARES));
      const last = controllers.at(-1);
      if (last === undefined || new Set(found).size < 2) return undefined;
      lastServed.set(`${phase} ${target}`, last);
      return { controllers, each: Math.max(1, Math.floor(max / controllers.length)) };
    },
  };
}

export type RoundRobin = ReturnType<typeof createRoundRobin>;
