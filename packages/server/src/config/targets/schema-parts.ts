// For editors: what the schemas of all targets are made of.
import {
  batchSize,
  concurrency,
  maxRowsPerDay,
  maxRowsPerSubject,
  mode,
  whenUnmatched,
} from './common-fields.ts';
import { hours } from './hours-kind.ts';

export type Schema = Record<string, unknown>;

export const text: Schema = { type: 'string', minLength: 1 };

export const list = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });

export function object(properties: Schema, required: readonly string[] = []): Schema {
  return { type: 'object', additionalProperties: false, required, properties };
}

export function describe(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

export function target(
  connectors: readonly string[],
  properties: Schema,
  required: readonly string[],
): Schema {
  const connector = describe({ enum: connectors }, 'How this target is worked with');
  return object({ connector, ...properties }, ['connector', ...required]);
}

export const COMMON: Schema = {
  mode: describe(
    mode.schema,
    'preview: count and hold, erase nothing until released. Default: erase',
  ),
  controllers: describe(list(text), 'Controllers whose data it holds. Default: all'),
  max_rows_per_subject: describe(
    maxRowsPerSubject.schema,
    'A request that finds more rows is held. Default: 1000',
  ),
  max_rows_per_day: describe(
    maxRowsPerDay.schema,
    'Rows erased on one day (UTC) at most; the rest waits for the next. Default: off',
  ),
  batch_size: describe(
    batchSize.schema,
    'Requests worked on at once. Default: 500, or 100 without SQL',
  ),
  concurrency: describe(
    concurrency.schema,
    'Batches at a time. Default: 2 for postgres, 1 for the others',
  ),
  hours: describe(hours.schema, 'When batches may run. Default: always'),
  when_unmatched: describe(
    whenUnmatched.schema,
    'What becomes of a request without an identity that this target can use. Default: hold',
  ),
};
