// A sample of the value that an overwritten column gets, to ask the database about it.
import { type Overwrite, RANDOM } from '../../../../domain/target/target.ts';
import type { ColumnShape } from '../../catalogue.ts';
import type { SqlDialect } from '../../dialect.ts';
import { HASH_LENGTH, RANDOM_LENGTH } from '../../erase/own-values.ts';
import { timeText } from '../../erase/time-text.ts';
import type { SqlValue } from '../../session.ts';

/** Undefined if it depends on the row. */
export function sampleOverwrite(
  dialect: SqlDialect,
  column: ColumnShape,
  overwrite: Overwrite,
): SqlValue | undefined {
  switch (overwrite.kind) {
    case 'null':
      return null;
    case 'value':
      return dialect.assigned(column, overwrite.value);
    case 'hash':
      return `uw1:${'0'.repeat(HASH_LENGTH - 4)}`;
    case 'unique':
      return overwrite.text.replace(RANDOM, '0'.repeat(RANDOM_LENGTH));
    case 'now':
      return timeText(column, new Date().toISOString());
    case 'json':
      return undefined;
  }
}
