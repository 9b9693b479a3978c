// Looked-up identities that were proven right before this request erased the rows that gave them: they cannot be given
// again, and other targets may need them. Why: docs/adr/0031-looked-up-identities.md.
import type { TargetConfig } from '../../domain/target/target.ts';
import type { OtherErasure, Vouched } from '../../domain/task/fulfilment-ports.ts';
import type { KeysVaultPort } from '../intent/intents.ts';
import type { Intended } from '../intent/merge-intent.ts';
import type { OpenedTask } from '../open-subjects.ts';

/** What the other tasks of a request say of its looked-up identities. */
export interface VouchedByOthers {
  /** By its target and its name: where several did, the last of them, who has looked at what the others left. */
  readonly vouched: ReadonlyMap<string, Vouched>;
  /** Of attempts that have not said how they ended. */
  readonly pending: readonly Vouched[];
}

export function vouchedByOthers(
  vault: Pick<KeysVaultPort, 'open'>,
  { task }: OpenedTask,
  others: readonly OtherErasure[],
): VouchedByOthers {
  const vouched = new Map<string, Vouched>();
  const pending: Vouched[] = [];
  for (const { isErasing, intent, target } of others) {
    const said = (intent !== null && vault.open(task, target, intent).vouched) || [];
    for (const one of said) {
      const { settled } = one;
      if (settled === undefined) {
        if (isErasing) pending.push(one);
        // What such an identity finds for a task that came later has come later too.
      } else if (task.taskNo <= settled.lastTaskNo) {
        const before = vouched.get(keyOf(one))?.settled;
        if (before === undefined || before.time <= settled.time) vouched.set(keyOf(one), one);
      }
    }
  }
  return { vouched, pending };
}

/** Another table, column or condition gives other values. */
export function lookupOf(target: TargetConfig | undefined): string | undefined {
  if (target === undefined || !('resolve' in target) || target.resolve === null) return undefined;
  const { table, where = {}, from, to } = target.resolve;
  return JSON.stringify([target.planDigest.split('-')[0], table, where, from, to]);
}

export const keyOf = ({ source, name }: Pick<Vouched, 'source' | 'name'>) => `${source} ${name}`;

/** `before`: an attempt that has erased. What it has found out stands. */
export function withVouched(
  intended: Intended,
  now: readonly Vouched[],
  before: Pick<Intended, 'vouched'> | undefined,
): Intended {
  const earlier = before?.vouched ?? [];
  const known = new Set(earlier.map(keyOf));
  const vouched = [...earlier, ...now.filter((one) => !known.has(keyOf(one)))];
  return vouched.length === 0 ? intended : { ...intended, vouched };
}

/** Whether a row has the value that did not have it when the rows were erased: somebody else's. */
export function isUsedAgain(rows: readonly string[], { settled }: Vouched): boolean {
  const rest = [...(settled?.left ?? [])];
  return !rows.every((row) => {
    const place = rest.indexOf(row);
    if (place !== -1) rest.splice(place, 1);
    return place !== -1;
  });
}
