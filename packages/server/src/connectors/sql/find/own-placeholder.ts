// A value that a plan of this or another target wrote into a column identifies no one: rows of all erased people
// may have the same text. It is recognised by its form, because commands that only read have no key.
import { lookupOverwrites } from '../../../domain/target/lookup-overwrites.ts';
import {
  type Overwrite,
  RANDOM,
  type ResolveConfig,
  type SqlTargetConfig,
} from '../../../domain/target/target.ts';
import { withoutEndZeros } from '../canonical-value.ts';
import { HASH_LENGTH, HASH_START, RANDOM_LENGTH } from '../erase/own-values.ts';
import type { Plan, PlannedMatch, PlannedTable } from '../plan/plan.ts';

/** For the column of a lookup (`resolve`). */
export function createIsOwnPlaceholder(
  config: SqlTargetConfig,
  resolve: ResolveConfig,
): (value: string) => boolean {
  const written = [...lookupOverwrites(config, resolve), ...(config.overwrittenByOthers ?? [])];
  return (value) => written.some((overwrite) => isWrittenBy(overwrite, folded(value)));
}

/** For a column by which rows of the table are matched. */
export function isMatchedPlaceholder(
  { tables }: Plan,
  { sqlName }: PlannedTable,
  { column, path }: PlannedMatch,
  value: string,
): boolean {
  if (path !== null) return false;
  const name = column.name.toLowerCase();
  return tables.some(
    ({ action, sqlName: other }) =>
      action.kind === 'overwrite' &&
      other === sqlName &&
      Object.entries(action.columns).some(
        ([written, overwrite]) =>
          written.toLowerCase() === name && isWrittenBy(overwrite, folded(value)),
      ),
  );
}

function isWrittenBy(overwrite: Overwrite, value: string): boolean {
  switch (overwrite.kind) {
    case 'value':
      return (
        overwrite.value !== null &&
        withoutEndZeros(value) === withoutEndZeros(folded(String(overwrite.value)))
      );
    case 'unique': {
      const [start = '', end = ''] = folded(overwrite.text).split(RANDOM);
      const own = value.slice(start.length, value.length - end.length);
      return (
        value.startsWith(start) &&
        value.endsWith(end) &&
        own.length === RANDOM_LENGTH &&
        DIGITS.test(own)
      );
    }
    case 'hash':
      return (
        value.length === HASH_LENGTH &&
        value.startsWith(HASH_START) &&
        DIGITS.test(value.slice(HASH_START.length))
      );
    default:
      return false;
  }
}

const DIGITS = /^[0-9a-z]+$/;

/** The form in which triggers and types may store it. */
const folded = (text: string) => text.trim().toLowerCase();
