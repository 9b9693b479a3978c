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

export interface MissingRights {
  readonly table: string;
  readonly grant: string;
}

/** All in one line: a plan of many tables needs as many rights. */
export function lackedRights(account: string, missing: readonly MissingRights[]): CheckLine[] {
  const [first, ...more] = missing;
  if (first === undefined) return [];
  const tables = [...new Set(missing.map(({ table }) => table))];
  const sql = [...new Set(missing.map(({ grant }) => grant))];
  return [
    {
      ...problem(
        more.length === 0 ? first.table : 'account',
        `${account} lacks rights on ${more.length === 0 ? 'it' : listNames(tables)}; run: ${sql.join('; ')}`,
      ),
      tables,
      sql,
    },
  ];
}

/** Tables with problems, on which statements would be refused for reasons that have already been reported. */
export function refusedTables(lines: readonly CheckLine[]): ReadonlySet<string> {
  return new Set(
    lines.flatMap(({ level, subject, tables = [] }) =>
      level === 'problem' ? [subject, ...tables] : [],
    ),
  );
}
