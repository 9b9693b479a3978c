// Parts of the JSON schemas of all targets, for editors.
import {
  batchSize,
  concurrency,
  label,
  maxRowsPerDay,
  maxRowsPerSubject,
  mode,
  whenUnmatched,
} from './common-fields.ts';
import { hours } from './hours-kind.ts';

export type Schema = Record<string, unknown>;

export const text: Schema = { type: 'string', minLength: 1 };

export const list = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });

export const mapOf = (values: Schema): Schema => ({
  type: 'object',
  additionalProperties: values,
});

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
  const connector = describe({ enum: connectors }, 'The kind of target');
  return object({ connector, ...properties }, ['connector', ...required]);
}

export const COMMON: Schema = {
  label: describe(
    label.schema,
    'What receipts for controllers call it. Default: the name of the target',
  ),
  mode: describe(
    mode.schema,
    'preview: count and hold, erase nothing until released. Default: erase',
  ),
  controllers: describe(list(text), 'Controllers whose data it holds. Default: all'),
  max_rows_per_subject: describe(
    maxRowsPerSubject.schema,
    'Limit on rows of one request; a request that finds more is held. Default: 1000',
  ),
  max_rows_per_day: describe(
    maxRowsPerDay.schema,
    'Daily limit on rows: maximum rows erased on one day (UTC); the rest wait until the next. Default: off',
  ),
  batch_size: describe(batchSize.schema, 'Requests in one batch. Default: 500, or 100 without SQL'),
  concurrency: describe(
    concurrency.schema,
    'Batches at the same time. Default: 2 for postgres, 1 for the others',
  ),
  hours: describe(hours.schema, 'When batches may run. Default: always'),
  when_unmatched: describe(
    whenUnmatched.schema,
    'What to do with a request that has no identity for this target. Default: hold',
  ),
  after: describe(
    list(text),
    'Targets that a request is erased from before this one. Default: those that need what is looked up in tables of this one',
  ),
};
