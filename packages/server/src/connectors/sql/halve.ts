// A batch succeeds as a whole, or is bisected until the failing item stands alone, so that the others succeed.
import { type Failed, type Held, TargetDown } from '../../domain/target/connector.ts';
import { NeedsDecision } from './needs-decision.ts';
import { type SqlDatabase, SqlFailure } from './session.ts';

/** From this number on, both connections of the pool read at the same time. */
const WORTH_TWO = 100;

/**
 * For work that only reads: two halves at the same time, bisected further if one fails. While another batch
 * is running, the second connection is not free, and two halves cost more than the whole.
 */
export async function runHalvingBeside<Item, Answer>(
  { isInUse }: SqlDatabase,
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  alone?: (item: Item, failure: SqlFailure) => Promise<Answer | undefined>,
): Promise<(Answer | Held | Failed)[]> {
  if (items.length < WORTH_TWO || isInUse) return runHalving(items, run, alone);
  const middle = Math.ceil(items.length / 2);
  const halves = [items.slice(0, middle), items.slice(middle)];
  return (await Promise.all(halves.map((half) => runHalving(half, run, alone)))).flat();
}

/**
 * `alone` may say more about the failure of a single item than its code; undefined leaves it unchanged.
 * `isUsable`: whether the target itself has no problem, so that a refused statement must be caused by the
 * item's rows.
 */
export async function runHalving<Item, Answer>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  alone?: (item: Item, failure: SqlFailure) => Promise<Answer | undefined>,
  isUsable: () => Promise<boolean> = async () => false,
): Promise<(Answer | Held | Failed)[]> {
  /** A statement is refused for every item: the target is down, and bisecting is pointless, unless it is usable. */
  async function refuse(error: SqlFailure): Promise<void> {
    if (!(await isUsable())) throw new TargetDown(error.code, error.message);
  }

  async function halve(part: readonly Item[]): Promise<(Answer | Held | Failed)[]> {
    const [only] = part;
    if (only === undefined) return [];
    try {
      return [...(await run(part))];
    } catch (error) {
      if (error instanceof NeedsDecision) {
        if (error.isEverybodys || part.length === 1) return part.map(() => error.toHeld());
      } else if (!(error instanceof SqlFailure)) {
        throw error;
      } else if (part.length === 1) {
        // For a batch of one, a refusal counts as a refusal for all.
        if (error.kind === 'other' && items.length === 1) await refuse(error);
        const answer = await alone?.(only, error);
        return [answer ?? { outcome: 'failed', code: error.code, detail: error.message }];
      } else if (error.kind === 'other' && part.length === items.length) {
        return tryEnds(error);
      }
    }
    const middle = Math.ceil(part.length / 2);
    return [...(await halve(part.slice(0, middle))), ...(await halve(part.slice(middle)))];
  }

  /** Runs the first and the last item alone: the statement is refused for all only if it is refused for both. */
  async function tryEnds(error: SqlFailure): Promise<(Answer | Held | Failed)[]> {
    const first = await halve(items.slice(0, 1));
    const last = await halve(items.slice(-1));
    if ([...first, ...last].every((answer) => isFailedBy(answer, error))) await refuse(error);
    return [...first, ...(await halve(items.slice(1, -1))), ...last];
  }

  return halve(items);
}

function isFailedBy(answer: unknown, { code }: SqlFailure): boolean {
  const { outcome, code: own } = answer as Partial<Failed>;
  return outcome === 'failed' && own === code;
}
