// Between preview and erase: if an operator has to decide, nothing is changed.
import { type Found, type Held, totalOf } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { Intended } from '../intent/merge-intent.ts';

export function guard(
  { counts, detached = {} }: Pick<Intended, 'counts' | 'detached'>,
  target: TargetConfig,
  /** Rows that an operator's release allows; null before a release. */
  allowedRows: number | null,
): Held | undefined {
  const rows = totalOf(counts);
  if (rows === 0) return undefined;
  if (allowedRows !== null) {
    if (rows <= allowedRows) return undefined;
    return held(
      'more_than_previewed',
      `${rows} rows match, and ${allowedRows} were released; find out why, then release for the new number, or retain`,
    );
  }
  const others = totalOf(detached);
  if (rows + others > target.maxRowsPerSubject && others > 0) {
    return held(
      'over_cap',
      `${rows} rows match, ${others} others would lose their references to them, and max_rows_per_subject is ${target.maxRowsPerSubject}`,
    );
  }
  if (rows > target.maxRowsPerSubject) {
    return held(
      'over_cap',
      `${count(rows)} match, and max_rows_per_subject is ${target.maxRowsPerSubject}; ${DECIDE}`,
    );
  }
  if (target.maxRowsPerDay !== null && rows > target.maxRowsPerDay) {
    return held(
      'over_cap',
      `${count(rows)} match, and max_rows_per_day is ${target.maxRowsPerDay}; ${DECIDE}`,
    );
  }
  if (target.mode === 'preview') {
    return held(
      'preview_mode',
      `${count(rows)} would be erased, and the target is in preview mode; ${DECIDE}`,
    );
  }
  return undefined;
}

/** Before "not found" is signed: a person decides where it may be a mistake, or where the target only counts. */
export function guardNotFound(
  { counts, unknownTenant }: Pick<Found, 'counts' | 'unknownTenant'>,
  target: TargetConfig,
): Held | undefined {
  if (totalOf(counts) > 0) return undefined;
  if (unknownTenant !== undefined)
    return held(
      'unknown_tenant',
      `nothing was found, and no row of any table has the tenant "${unknownTenant}" of this controller; correct it under "tenants", or, if the controller has no data here, release: then it is not found`,
    );
  return target.mode === 'preview'
    ? held(
        'preview_mode',
        'no row would be erased, and the target is in preview mode; if that is right, release: then it is not found; if not, correct the target and reload, or retain',
      )
    : undefined;
}

const count = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);

const DECIDE = 'if they are right, release; if not, correct the target and restart, or retain';

function held(reason: Held['reason'], detail: string): Held {
  return { outcome: 'held', reason, detail };
}
