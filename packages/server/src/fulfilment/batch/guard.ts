// Between preview and erase: if an operator has to decide, nothing is changed.
import { type Found, type Held, totalOf } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { OpenedIntent } from '../intent/intents.ts';

export function guard(
  { counts, detached = {}, unknownTenant }: Pick<Found, 'counts' | 'detached' | 'unknownTenant'>,
  target: TargetConfig,
  /** Rows that an operator's release allows; null before a release. */
  allowedRows: number | null,
  /** An earlier attempt has erased, or may have: that must be stated, whatever the mode is now. */
  hasBegun: boolean,
): Held | undefined {
  const rows = totalOf(counts);
  const isPreviewed = target.mode === 'preview' && allowedRows === null;
  if (rows === 0) {
    if (hasBegun || allowedRows !== null) return undefined;
    if (unknownTenant !== undefined) return held('unknown_tenant', noRowOf(unknownTenant));
    return isPreviewed ? held('preview_mode', NOBODY) : undefined;
  }
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
  if (isPreviewed) {
    return held(
      'preview_mode',
      `${count(rows)} would be erased, and the target is in preview mode; ${DECIDE}`,
    );
  }
  return undefined;
}

/**
 * A row that was to be erased may still be there, if another process has deleted the row that led to it meanwhile: where no
 * foreign key prevents that, an operator decides about fewer rows than an attempt before had found.
 */
export function guardLoose(
  { counts, layout = {}, sharedWith }: Pick<Found, 'counts' | 'layout' | 'sharedWith'>,
  { state, counts: before }: OpenedIntent,
): Held | undefined {
  // Rows that are there may count for an older request of the batch.
  if (state === 'done' || sharedWith.length > 0) return undefined;
  for (const [table, { isLoose }] of Object.entries(layout)) {
    const [now, then] = [counts[table] ?? 0, before[table] ?? 0];
    if (isLoose === true && now < then)
      return held(
        'orphaned',
        `${count(then)} of ${table} matched before, and ${now} match now; a row may still be there while the row that linked it to this request is gone: delete it or link it to another person, then release, or retain the task`,
      );
  }
  return undefined;
}

const count = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);

/** Completing would be for good, and a signed statement that nobody was found. */
const NOBODY =
  'nothing of this person would be erased here, and the target is in preview mode; if that is right, release; if not, correct the target and reload, or retain';

const noRowOf = (tenant: string) =>
  `nothing was found, and no row of any table has the tenant "${tenant}" of this controller; correct it under "tenants" and reload, or, if the controller has no data here, release: then it is not found`;

const DECIDE = 'if they are right, release; if not, correct the target and reload, or retain';

function held(reason: Held['reason'], detail: string): Held {
  return { outcome: 'held', reason, detail };
}
