// A target that its own check refuses: none of its tasks runs while the problem exists.
import { type CheckLine, TargetDown } from './connector.ts';

export const TARGET_REFUSED = 'target_refused';

/** The check lists all problems; here only as many as fit on a line. */
const MAX_TOLD = 3;

export function targetRefused(problems: readonly CheckLine[]): TargetDown {
  const told = problems
    .slice(0, MAX_TOLD)
    .map(({ subject, message }) => `${subject}: ${message}`)
    .join(' | ');
  const rest = problems.length - MAX_TOLD;
  const more = rest > 0 ? ` | and ${rest} more: run "unwrite target check"` : '';
  return new TargetDown(TARGET_REFUSED, `${told}${more}`);
}
