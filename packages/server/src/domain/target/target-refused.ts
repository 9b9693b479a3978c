// A target that its own check refuses: no task of it runs while the problem stands.
import { type CheckLine, TargetDown } from './connector.ts';

export const TARGET_REFUSED = 'target_refused';

/** Told in full by the check; here as much as fits a line. */
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
