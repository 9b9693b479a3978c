// Looked-up identities that were proven right before this request erased the rows that gave them: they cannot be given
// again, and other targets may need them. Why: docs/adr/0031-looked-up-identities.md.
import type { Subject } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { OtherErasure, Vouched } from '../../domain/task/fulfilment-ports.ts';
import type { KeysVaultPort } from '../intent/intents.ts';
import type { Intended } from '../intent/merge-intent.ts';

/** What the other tasks of a request say of its looked-up identities. */
export interface VouchedByOthers {
  readonly vouched: readonly Vouched[];
  /** Of attempts that have not said how they ended. */
  readonly pending: readonly Vouched[];
  /** Later than the first runs of the request: what is found by such an identity now has come since. */
  readonly isLaterRun: boolean;
}

export function vouchedByOthers(
  vault: Pick<KeysVaultPort, 'open'>,
  { controllerId, subjectRequestId }: Subject,
  target: TargetConfig,
  others: readonly OtherErasure[],
): VouchedByOthers {
  const opened = others.map(({ isErasing, intent, target: theirs }) => ({
    isErasing,
    vouched:
      intent === null
        ? []
        : (vault.open({ controllerId, subjectRequestId }, theirs, intent).vouched ?? []),
  }));
  const known = ({ left }: Vouched) => left !== undefined;
  return {
    vouched: opened.flatMap(({ vouched }) => vouched.filter(known)),
    pending: opened.flatMap(({ isErasing, vouched }) =>
      isErasing ? vouched.filter((one) => !known(one)) : [],
    ),
    isLaterRun: others.some(
      ({ isAsked, isDone, target: theirs }) => isAsked || (isDone && theirs === target.name),
    ),
  };
}

/** `before`: an attempt that has erased. Which of its identities are given since is looked at again. */
export function withVouched(
  intended: Intended,
  now: readonly Vouched[],
  before: Pick<Intended, 'vouched'> | undefined,
): Intended {
  const earlier = (before?.vouched ?? []).map(({ source, name }) => ({ source, name }));
  const vouched = [...earlier, ...now];
  return vouched.length === 0 ? intended : { ...intended, vouched };
}

/** Whether a row has the value that none of them had left it in: somebody else's. */
export function isUsedAgain(rows: readonly string[], vouched: readonly Vouched[]): boolean {
  return vouched.some(({ left = [] }) => !isWithin(rows, left));
}

/** As often as there, at most. */
function isWithin(rows: readonly string[], among: readonly string[]): boolean {
  const rest = [...among];
  return rows.every((row) => {
    const place = rest.indexOf(row);
    if (place !== -1) rest.splice(place, 1);
    return place !== -1;
  });
}
