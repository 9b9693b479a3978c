// Identities that were added to a request, by an operator or a lookup: the log has a digest of each sealed set.
// If one were missing, a target would be searched for only some of the person's identities, and wrongly report
// that nothing is left.
import { readDetail } from '../audit/read-detail.ts';

interface IdentifiedRow {
  readonly action: string;
  readonly detail: string | null;
}

interface Detail {
  /** The digest of what was added. */
  readonly identities?: unknown;
  /** Digests of the identities that were dropped, to be looked up again. */
  readonly dropped?: unknown;
}

const ADDING: readonly string[] = ['request.identified', 'task.resolved'];

/** Whether a set was added later. Stored in place of the original set, it would hide the original. */
export function isAddedSet(rows: readonly IdentifiedRow[], digest: string | undefined): boolean {
  if (digest === undefined) return false;
  return rows.some(
    (row) => ADDING.includes(row.action) && (readDetail(row) as Detail).identities === digest,
  );
}

export function missingIdentities(
  rows: readonly IdentifiedRow[],
  added: ReadonlySet<string>,
): string | undefined {
  const details = (actions: readonly string[]) =>
    rows.filter(({ action }) => actions.includes(action)).map((row): Detail => readDetail(row));
  const dropped = new Set(
    details(['task.released']).flatMap((it) => (Array.isArray(it.dropped) ? it.dropped : [])),
  );
  const isMissing = details(ADDING).some(
    ({ identities }) =>
      typeof identities === 'string' && !dropped.has(identities) && !added.has(identities),
  );
  return isMissing ? 'identities that were added to its request are missing' : undefined;
}
