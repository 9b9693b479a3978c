// What acts in the name of an operator.
import { NotPossible } from '../../../src/domain/task/operator-ports.ts';
import type { History } from '../history.ts';
import { Violation } from '../model/model.ts';

export const by = ({ system }: History) => ({ actor: 'operator:olga', now: system.clock.now });
export const parts = ({ system }: History) => ({
  store: system.store(),
  identities: system.identities(),
});

/** Answers whether it was done; the documentation says whether it could be; undefined: it may be either. */
export async function tried(
  what: string,
  isPossible: boolean | undefined,
  work: Promise<unknown>,
): Promise<boolean> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    if (isPossible === true) throw new Violation(`${what} was refused: ${error.message}`);
    return false;
  }
  if (isPossible === false) throw new Violation(`${what} was not refused`);
  return true;
}
