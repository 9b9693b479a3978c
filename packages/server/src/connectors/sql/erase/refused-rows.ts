// What is said when the database itself refuses to let rows go.
import type { Erasure } from '../../../domain/target/connector.ts';
import { ReferredMeanwhile } from '../find/decide-references.ts';
import type { Plan } from '../plan/plan.ts';
import type { SqlFailure } from '../session.ts';

export const isReferredMeanwhile = (error: unknown): boolean => error instanceof ReferredMeanwhile;

export function referredTo(
  { message }: SqlFailure,
  { erased, refusing, referredOverwrites }: Plan,
): Erasure {
  const ways = [
    'declare the table that refers under "tables"',
    ...(refusing.length > 0
      ? [`let the reference become NULL: detach: [${refusing.join(', ')}]`]
      : []),
    ...(erased.some(({ action }) => action.kind === 'delete')
      ? ['overwrite instead of deleting']
      : []),
    ...referredOverwrites.map((column) => `do not overwrite ${column}`),
  ];
  return {
    outcome: 'held',
    reason: 'unplanned_change',
    detail: `rows that stay refer to rows of this request, so the database does not let them go (${message}); ${ways.join(', or ')}; reload, then release`,
  };
}

export function refusedByConstraint({ message }: SqlFailure): Erasure {
  return {
    outcome: 'held',
    reason: 'unplanned_change',
    detail: `a constraint refuses what erasing would change in rows that stay, and nothing was changed: ${message}; change the constraint or the rows, or overwrite instead of deleting, then release`,
  };
}
