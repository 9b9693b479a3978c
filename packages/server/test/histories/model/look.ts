// What can be seen of the system from outside, at one moment.
import type { RequestState } from '../../../src/domain/request/request.ts';
import type { AttentionLine, Evidence, TaskSummary } from '../../../src/domain/task/task.ts';
import type { System } from '../system/system.ts';
import { requestName } from '../system/world.ts';
import type { Model } from './model.ts';

export interface Look {
  readonly now: number;
  readonly states: ReadonlyMap<string, RequestState | undefined>;
  readonly tasks: readonly TaskSummary[];
  readonly tasksOf: ReadonlyMap<string, readonly TaskSummary[]>;
  readonly attention: readonly AttentionLine[];
}

const ALL = 10_000;

export async function look(system: System, model: Model): Promise<Look> {
  const requests = [...model.requests.values()];
  const states = new Map<string, RequestState | undefined>();
  const read = await Promise.all(requests.map(({ key }) => system.requests().read(key)));
  for (const [index, { name }] of requests.entries()) states.set(name, read[index]);
  const tasks = await system.store().tasks.tasks({ limit: ALL });
  const attention = await system.attention();
  const tasksOf = Map.groupBy(tasks, requestName);
  return { now: system.clock.now, states, tasks, tasksOf, attention };
}

export const PEOPLE: readonly Evidence['action'][] = ['retained', 'confirmed'];

export const rowsIn = ({ tables }: Pick<Evidence, 'tables'>): number =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);

export const unconfirmedIn = ({ tables }: Pick<Evidence, 'tables'>): number =>
  Object.values(tables).reduce((sum, { unconfirmed = 0 }) => sum + unconfirmed, 0);
