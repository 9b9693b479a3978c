// The rows that are about to be erased, sealed and committed before anything is changed.
import type { RequestKey } from '../../domain/request/request.ts';
import { totalOf } from '../../domain/target/connector.ts';
import type {
  IntendedRows,
  IntentState,
  LeasedTask,
  NewIntent,
  SealedBytes,
} from '../../domain/task/fulfilment-ports.ts';
import type { Intended } from './merge-intent.ts';

export interface KeysVaultPort {
  seal(request: RequestKey, target: string, rows: IntendedRows): SealedBytes;
  open(request: RequestKey, target: string, sealed: SealedBytes): IntendedRows;
}

/** The intent of an earlier attempt. */
export interface OpenedIntent extends Intended {
  readonly state: IntentState;
  readonly plan: string;
}

export function openIntent(
  vault: KeysVaultPort,
  target: string,
  task: LeasedTask,
): OpenedIntent | undefined {
  if (task.intent === null) return undefined;
  const { state, keys: sealed } = task.intent;
  const { said, ...rows } = vault.open(task, target, sealed);
  const { taskNo, plan, counts, retained } = said;
  if (taskNo !== task.taskNo) throw new Error('the intent is that of another task');
  return { state, plan, counts, retained, ...rows };
}

export interface CaseOfIntent {
  readonly task: LeasedTask;
  readonly intended: Intended;
}

/**
 * A task that found nothing gets no intent, because it was never meant to erase. An earlier intent is replaced in
 * any case, because its end is known by now.
 */
export function sealIntents(
  vault: KeysVaultPort,
  target: string,
  plan: string,
  cases: readonly CaseOfIntent[],
): NewIntent[] {
  return cases
    .filter(({ task, intended }) => totalOf(intended.counts) > 0 || task.intent !== null)
    .map(({ task, intended: { counts, retained, ...rows } }) => ({
      taskNo: task.taskNo,
      state: 'recorded' as const,
      plan,
      counts,
      retained,
      keys: vault.seal(task, target, {
        said: { taskNo: task.taskNo, plan, counts, retained },
        keys: rows.keys,
        layout: rows.layout,
        kept: rows.kept,
        retainedRows: rows.retainedRows,
        gone: rows.gone,
        goneElsewhere: rows.goneElsewhere,
        detached: rows.detached,
        detachedRows: rows.detachedRows,
        detachedBefore: rows.detachedBefore,
        times: rows.times,
        schemas: rows.schemas,
      }),
    }));
}
