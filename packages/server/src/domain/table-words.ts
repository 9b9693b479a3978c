// What became of the rows of a table, line by line, in words that a regulator understands.
import type { TableEvidence } from './task.ts';

export interface TableLine {
  readonly action: string;
  readonly rows: number;
  readonly why: string | null;
}

export function tableLines(evidence: TableEvidence): TableLine[] {
  const { action, rows, reason = null, already_gone, left, shared_kept, retained } = evidence;
  const others: TableLine[] = [
    ...line('already gone', already_gone, 'it was gone before this task came to it'),
    ...line('left', left, 'somebody else’s by then, and not touched'),
    ...line('retain', shared_kept, SHARED),
    ...line('retain', retained, reason),
  ];
  const isNothing = rows === 0 && others.length > 0;
  const why = retained === undefined ? reason : null;
  return isNothing ? others : [{ action, rows, why }, ...others];
}

/** Why a row is retained that is also somebody else's. */
export const SHARED = 'shared with somebody else';

function line(action: string, rows: number | undefined, why: string | null): TableLine[] {
  return rows === undefined || rows === 0 ? [] : [{ action, rows, why }];
}

/** Whether anything of the person was there when it was looked for. */
export function foundAnything(evidence: TableEvidence): boolean {
  return tableLines(evidence).some(({ rows }) => rows > 0);
}
