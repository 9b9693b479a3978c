// What a hand-written preview or verify statement answered: one number, or rows of a name and a number.
import { canBeCounted, type Subject } from '../../../domain/target/connector.ts';
import { planMisfit } from '../plan/plan-misfits.ts';
import type { SqlRow } from '../session.ts';

/** The name of a number that has none. */
const ROWS = 'rows';
/** What a table may be called. Not what an email looks like: data must not become a name. */
const NAME = /^[\w$ .-]{1,64}$/;

export function addCounts(
  counts: Record<string, number>,
  rows: readonly SqlRow[],
  subject: Subject,
): void {
  for (const row of rows) {
    const values = Object.values(row);
    if (values.length < 1 || values.length > 2 || (values.length === 1 && rows.length > 1))
      throw misfit();
    const name = values.length === 1 ? ROWS : values[0];
    const count = Number(values.at(-1) ?? Number.NaN);
    if (typeof name !== 'string' || !NAME.test(name) || isIdentity(name, subject)) throw misfit();
    if (!Number.isSafeInteger(count) || count < 0) throw misfit();
    if (count > 0) counts[name] = (counts[name] ?? 0) + count;
  }
  if (!canBeCounted(counts)) throw misfit();
}

function isIdentity(name: string, subject: Subject): boolean {
  return subject.identities.some((identity) => identity.reveal() === name);
}

function misfit(): Error {
  return planMisfit(
    'the hand-written preview or verify statement must answer one number, or rows of a table name and a number',
  );
}
