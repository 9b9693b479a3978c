// What is about to be erased, sealed and committed before anything is touched.
import { type Keys, totalOf } from '../domain/connector.ts';
import type { LeasedTask, NewIntent, SealedBytes } from '../domain/fulfilment-ports.ts';
import type { RequestKey } from '../domain/request.ts';
import type { Intended } from './merge-intent.ts';

export interface KeysVaultPort {
  seal(request: RequestKey, target: string, keys: Keys): SealedBytes;
  open(request: RequestKey, target: string, sealed: SealedBytes): Keys;
}

export function openIntent(
  vault: KeysVaultPort,
  target: string,
  task: LeasedTask,
): Intended | undefined {
  if (task.intent === null) return undefined;
  const { counts, retained, keys } = task.intent;
  return { counts, retained, keys: vault.open(task, target, keys) };
}

/** Nothing found, no intent: a task whose every preview found nothing was never meant to erase. */
export function sealIntents(
  vault: KeysVaultPort,
  target: string,
  cases: readonly { readonly task: LeasedTask; readonly intended: Intended }[],
): NewIntent[] {
  return cases
    .filter(({ intended }) => totalOf(intended.counts) > 0)
    .map(({ task, intended: { counts, retained, keys } }) => ({
      taskNo: task.taskNo,
      counts,
      retained,
      keys: vault.seal(task, target, keys),
    }));
}
