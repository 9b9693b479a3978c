// Runs checks one after the other: what one sends must not change what another sees.
import { ErasureError } from '@unwrite/client';
import type { Check } from './check.ts';
import { shownExchange } from './exchange.ts';
import { NotApplicable, Violation } from './findings.ts';
import type { Kit } from './kit.ts';

export interface Result {
  readonly check: Check;
  /** `deviation`: not kept, and declared with a reason. `error`: not known, as the processor did not answer. */
  readonly outcome: 'kept' | 'broken' | 'deviation' | 'not_applicable' | 'error';
  readonly problem?: string;
  /** Of a deviation. */
  readonly reason?: string;
  readonly exchange?: ReturnType<typeof shownExchange>;
}

export async function runChecks(
  checks: readonly Check[],
  kit: Kit,
  deviations: Readonly<Record<string, string>>,
  stop: AbortSignal,
  onResult: (result: Result) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of checks) {
    const result = await runCheck(check, kit, deviations, stop);
    onResult(result);
    results.push(result);
  }
  return results;
}

async function runCheck(
  check: Check,
  kit: Kit,
  deviations: Readonly<Record<string, string>>,
  stop: AbortSignal,
): Promise<Result> {
  try {
    stop.throwIfAborted();
    await check.run(kit);
    return { check, outcome: 'kept' };
  } catch (error) {
    if (stop.aborted) {
      return { check, outcome: 'error', problem: 'not looked at: the run was interrupted' };
    }
    if (error instanceof NotApplicable) {
      return { check, outcome: 'not_applicable', problem: error.message };
    }
    if (error instanceof ErasureError) return { check, outcome: 'error', problem: error.message };
    if (!(error instanceof Violation)) throw error;
    const problem = error.message;
    const shown = error.exchange && { exchange: shownExchange(error.exchange) };
    const reason = Object.hasOwn(deviations, check.id) ? deviations[check.id] : undefined;
    return reason === undefined
      ? { check, outcome: 'broken', problem, ...shown }
      : { check, outcome: 'deviation', problem, reason, ...shown };
  }
}

/** A processor conforms if it keeps every MUST, apart from its deviations, and answered. */
export function countsOf(results: readonly Result[]) {
  const count = (test: (it: Result) => boolean) => results.filter(test).length;
  const broken = (level: string) =>
    count(({ outcome, check }) => outcome === 'broken' && check.level === level);
  return {
    kept: count(({ outcome }) => outcome === 'kept'),
    must_broken: broken('MUST'),
    should_broken: broken('SHOULD'),
    may_broken: broken('MAY'),
    deviations: count(({ outcome }) => outcome === 'deviation'),
    not_applicable: count(({ outcome }) => outcome === 'not_applicable'),
    errors: count(({ outcome }) => outcome === 'error'),
  };
}
