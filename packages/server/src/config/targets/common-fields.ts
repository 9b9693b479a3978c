// The fields of targets with any connector.

import type { Hours, TargetCommon } from '../../domain/target/target.ts';
import {
  CONTROLLER_ID_RULE,
  type ControllerId,
  isControllerId,
} from '../../domain/tenant/controller-id.ts';
import { oneOf, orOff, text, wholeNumber } from '../kinds.ts';
import type { Fields } from './fields.ts';
import { hours } from './hours-kind.ts';
import { readNames } from './read-names.ts';

/** A target as it was read, before its digests are computed. */
export type Undigested<T extends TargetCommon> = T extends unknown
  ? Omit<T, 'digest' | 'planDigest'>
  : never;

/** Printed on receipts: one line. */
export const label = text(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u, 'a name of 1 to 100 characters');
export const mode = oneOf('erase', 'preview');
export const whenUnmatched = oneOf('hold', 'skip');
export const maxRowsPerSubject = wholeNumber(1, 1_000_000);
export const maxRowsPerDay = orOff(wholeNumber(1, 1_000_000_000));
export const batchSize = wholeNumber(1, 1000);
export const concurrency = wholeNumber(1, 16);

type Common = Omit<TargetCommon, 'digest' | 'planDigest' | 'controllers'>;

interface Defaults {
  readonly batchSize: number;
  readonly concurrency: number;
}

/** Without SQL. */
const OTHERWISE: Defaults = { batchSize: 100, concurrency: 1 };

export function readCommon(name: string, fields: Fields, defaults = OTHERWISE): Common {
  return {
    name,
    ...(fields.has('label') && { label: fields.read('label', label, name) }),
    mode: fields.read('mode', mode, 'erase'),
    maxRowsPerSubject: fields.read('max_rows_per_subject', maxRowsPerSubject, 1000),
    maxRowsPerDay: fields.read('max_rows_per_day', maxRowsPerDay, null),
    batchSize: fields.read('batch_size', batchSize, defaults.batchSize),
    concurrency: fields.read('concurrency', concurrency, defaults.concurrency),
    hours: fields.has('hours') ? fields.need<Hours | null>('hours', hours, null) : null,
    whenUnmatched: fields.read('when_unmatched', whenUnmatched, 'hold'),
    ...(fields.has('after') && { after: readNames(fields, 'after') }),
  };
}

/** Null, which means all controllers, if it is not given. */
export function readControllers(fields: Fields): readonly ControllerId[] | null {
  if (!fields.has('controllers')) return null;
  const items = fields.items('controllers').map((id) => (typeof id === 'number' ? String(id) : id));
  const ids = items.filter(
    (id): id is ControllerId => typeof id === 'string' && isControllerId(id),
  );
  if (ids.length < items.length) fields.problem('controllers', CONTROLLER_ID_RULE);
  else if (ids.length === 0)
    fields.problem('controllers', 'must name a controller, or be left out');
  else if (new Set(ids).size < ids.length)
    fields.problem('controllers', 'names the same controller twice');
  return ids;
}
