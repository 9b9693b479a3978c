import type { CheckLine } from '../../../domain/target/connector.ts';

const lineOf =
  (level: CheckLine['level']) =>
  (subject: string, message: string): CheckLine => ({ level, subject, message });

/** All is well. */
export const ok = lineOf('ok');
/** Worth knowing; nothing has to be done. */
export const note = lineOf('note');
/** Works, but slowly, or not for every row. */
export const warning = lineOf('warning');
/** Requests will be held or fail. */
export const problem = lineOf('problem');

/**
 * A problem about something that cannot be seen or is kept elsewhere, which an operator may accept by this
 * name.
 */
export const acceptable = (finding: string, subject: string, message: string): CheckLine => ({
  ...problem(subject, `${message}; or accept it with a reason: accept: { "${finding}": "…" }`),
  finding,
});

export const hasProblem = (lines: readonly CheckLine[]): boolean =>
  lines.some(({ level }) => level === 'problem');

/** `a`, `a and b`, `a, b and 3 more`. */
export function listNames(names: readonly string[], max = 5): string {
  const shown = names.slice(0, max);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** The alternative if no plan of tables fits. */
export const BY_HAND =
  'write the statements by hand, in a target of their own (docs/targets-reference.md, "Hand-written SQL")';
