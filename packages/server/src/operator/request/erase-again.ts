// Gives completed requests another run at a target, because its backup was restored or it was added later.
import type { EraseAgainCounts, EraseAgainQuery } from '../../domain/request/forgetting-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import type { PlannedTask } from '../../domain/task/task.ts';
import { findController } from '../controller/find-controller.ts';
import { InvalidInput } from '../failures.ts';
import { findTarget } from '../target/find-target.ts';

export interface EraseAgainParts {
  readonly store: Pick<Store, 'forgetting' | 'tenants'>;
  readonly targets: readonly TargetConfig[];
  readonly planTask: (target: TargetConfig) => PlannedTask;
}

export interface EraseAgainOptions {
  readonly target: string;
  readonly since: number;
  readonly until?: number | undefined;
  readonly controller?: string | undefined;
  /** Only counts. */
  readonly isDry: boolean;
}

export async function eraseAgain(
  { store, targets, planTask }: EraseAgainParts,
  options: EraseAgainOptions,
  by: Actor,
): Promise<EraseAgainCounts> {
  const target = findTarget(options.target, targets);
  const query = await queryOf(options, target, store, by.now);
  const counts = await store.forgetting.countEraseAgain(query);
  if (options.isDry) return counts;
  return { ...counts, runs: await store.forgetting.eraseAgain(query, planTask(target), by) };
}

async function queryOf(
  { since, until, controller }: EraseAgainOptions,
  { name, controllers }: TargetConfig,
  { tenants }: Pick<Store, 'tenants'>,
  now: number,
): Promise<EraseAgainQuery> {
  const end = until ?? now;
  if (end < since) throw new InvalidInput('until', 'must not be before --since');
  const range = { target: name, since, until: end };
  if (controller === undefined) return { ...range, controllers };
  const { controllerId } = await findController(tenants, controller);
  if (controllers !== null && !controllers.includes(controllerId)) {
    throw new NotPossible(`the target ${name} is not for the controller ${controllerId}`);
  }
  return { ...range, controllers: [controllerId] };
}
