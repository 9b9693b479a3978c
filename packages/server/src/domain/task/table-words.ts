// What happened to the rows of a table, line by line, in words for a regulator.
import type { TableEvidence } from './task.ts';

export interface TableLine {
  readonly action: string;
  /** The same in words. */
  readonly words: string;
  readonly rows: number;
  readonly why: string | null;
}

export function tableLines(evidence: TableEvidence): TableLine[] {
  const {
    action,
    rows,
    reason = null,
    already_gone,
    shared_kept,
    retained,
    unconfirmed,
    unproven,
  } = evidence;
  const others: TableLine[] = [
    ...line('already gone', already_gone, 'it was gone before this task came to it'),
    ...line('unconfirmed', unconfirmed, CUT_OFF),
    ...line('retain', shared_kept, SHARED, SHARED_AND_KEPT),
    ...line('retain', unproven, NOT_PROVEN, NOT_PROVEN_AND_KEPT),
    ...line('retain', retained, reason),
    ...line('detach', evidence.detached, 'its reference to a deleted row became NULL; it stays'),
  ];
  const isNothing = rows === 0 && others.length > 0;
  const why = retained === undefined ? reason : null;
  return isNothing ? others : [{ action, words: WORDS[action], rows, why }, ...others];
}

const WORDS: Readonly<Record<TableEvidence['action'], string>> = {
  delete: 'deleted',
  overwrite: 'overwritten',
  cascade: 'removed by cascade',
  detach: 'detached',
  retain: 'retained',
  erase: 'erased',
  forward: 'forwarded',
};
const SHARED_AND_KEPT = 'shared and kept';

/** For rows that stay because their owner is not known. */
export const NOT_PROVEN_AND_KEPT = 'not proven and kept';

/** Why such a row is retained. */
export const NOT_PROVEN =
  'found only by an identity that was looked up and could not be proven any more; an operator went on without it';

const CUT_OFF =
  'at most: an interrupted attempt was about to erase this many, and it is not known whether it did';

/** Why a row that also belongs to another person is retained. */
export const SHARED = 'shared with somebody else';

function line(
  action: string,
  rows: number | undefined,
  why: string | null,
  words = Object.hasOwn(WORDS, action) ? WORDS[action as TableEvidence['action']] : action,
): TableLine[] {
  return rows === undefined || rows === 0 ? [] : [{ action, words, rows, why }];
}

/** Sum over all tables of the rows with these words. */
export function rowsInWords(tables: readonly TableEvidence[], words: string): number {
  return tables
    .flatMap(tableLines)
    .reduce((sum, one) => (one.words === words ? sum + one.rows : sum), 0);
}

/** Whether any row of the person was found. */
export function foundAnything(evidence: TableEvidence): boolean {
  return tableLines(evidence).some(({ rows }) => rows > 0);
}
