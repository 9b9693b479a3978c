// A request was planned with a lookup at a target that has none in the configuration of this node: it was removed, or
// another node has it while a change is rolled out. Without the looked-up identities, rows elsewhere would be left.
import type { Resolution } from '../../domain/target/connector.ts';
import type { FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import type { OpenedTask } from '../open-subjects.ts';

export type WithoutLookupStore = Pick<FulfilmentStore, 'releasedWithoutLookup'>;

/** Attempts that are left to other nodes before an operator has to decide. */
const LEFT_TO_OTHERS = 3;

/** Identities looked up here before count as unproven where they are used, and need no decision here. */
export async function withoutLookup(
  store: WithoutLookupStore,
  target: string,
  tasks: readonly OpenedTask[],
): Promise<Resolution[]> {
  const isKnown = ({ task }: OpenedTask) => task.identities.some(({ source }) => source === target);
  const asked = tasks.filter((one) => !isKnown(one) && one.task.attempts > LEFT_TO_OTHERS);
  const released = await store.releasedWithoutLookup(asked.map(({ task }) => task));
  return tasks.map((one): Resolution => {
    const { taskNo, attempts } = one.task;
    if (isKnown(one) || released.has(taskNo)) return { outcome: 'resolved', identities: [] };
    const why = `identities of this request were to be looked up at ${target}, which has no "resolve" in the configuration of this node`;
    if (attempts <= LEFT_TO_OTHERS) {
      const detail = `${why}; it is left to other nodes, in case the configuration is being changed`;
      return { outcome: 'failed', code: 'no_lookup', detail };
    }
    const detail = `${why}: put "resolve" back on every node and reload, then release, and it is looked up. If it was removed for good, add what it would have found (unwrite request identify), then release: it goes on without the lookup. Or retain the task`;
    return { outcome: 'held', reason: 'lookup_removed', detail };
  });
}
