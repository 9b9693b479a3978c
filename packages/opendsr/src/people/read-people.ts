// The people of a file, one at a time: what is sent for each, or what is wrong with their line.
import type { ErasureRequest, OpenDsrIdentity } from '@unwrite/client';
import { readStrictJson } from '@unwrite/protocol';
import { usageFailure } from '../failure.ts';
import { type IdentityColumn, identityOf, type Mapping, missingColumns } from './mapping.ts';
import { MAX_RECORD, readCsv, UnreadableInput } from './read-csv.ts';

export interface PeopleFormat {
  readonly format: 'csv' | 'ndjson';
  readonly delimiter: string | undefined;
  readonly mapping: Mapping;
  /** The texts of `--map`. */
  readonly mapped: readonly string[];
  /** For lines that do not say otherwise. */
  readonly regulation: string | undefined;
  readonly submittedTime: string | undefined;
}

export type Person = {
  /** 1, 2, …: their place among the people of the file. */
  readonly number: number;
  readonly line: number;
} & ({ readonly request: ErasureRequest } | { readonly problem: string });

interface Row {
  readonly line: number;
  /** A text: what is wrong with the row as a whole. */
  readonly fields: Readonly<Record<string, unknown>> | string;
}

export async function* readPeople(
  text: AsyncIterable<string>,
  format: PeopleFormat,
): AsyncGenerator<Person> {
  const rows = format.format === 'csv' ? csvRows(text, format) : ndjsonRows(text, format);
  let number = 0;
  for await (const { line, fields } of rows) {
    number++;
    const read = typeof fields === 'string' ? fields : requestOf(fields, format);
    yield { number, line, ...(typeof read === 'string' ? { problem: read } : { request: read }) };
  }
}

async function* csvRows(
  text: AsyncIterable<string>,
  { delimiter, mapping, mapped }: PeopleFormat,
): AsyncGenerator<Row> {
  let columns: readonly string[] | undefined;
  for await (const { line, cells } of readCsv(text, delimiter)) {
    if (columns === undefined) {
      columns = cells;
      requireColumns(columns, mapping, mapped);
      continue;
    }
    const names = columns;
    yield {
      line,
      fields:
        cells.length === names.length
          ? Object.fromEntries(names.map((name, at) => [name, cells[at]]))
          : `has ${cells.length} cells, and the first line ${names.length}`,
    };
  }
}

/** What is in the cells of people: messages end up in logs. */
const NOT_A_NAME = /@|\d{4}|\p{Cc}/u;

function requireColumns(
  columns: readonly string[],
  mapping: Mapping,
  mapped: readonly string[],
): void {
  const twice = namesIn(mapping).find(
    (name) => columns.indexOf(name) !== columns.lastIndexOf(name),
  );
  if (twice !== undefined) throw usageFailure(`the column "${twice}" is there twice`);
  const near = nearlyRead(mapping, columns);
  if (near !== undefined) throw usageFailure(`there is ${near}`);
  const missing = missingColumns(mapping, mapped, columns);
  if (missing.length === 0) return;
  if (columns.some((name) => NOT_A_NAME.test(name))) {
    throw usageFailure(
      'the first line must name the columns, such as email,submitted_time, and it looks like a person, or like text in another encoding (UTF-16) or with other ends of lines; correct that first',
    );
  }
  const shown = columns.map((name) => `"${name}"`).join(', ');
  throw usageFailure(
    mapped.length > 0
      ? `there is no column ${missing.map((name) => `"${name}"`).join(', ')}; the columns are ${shown}`
      : `no column is named after a type of identity; the columns are ${shown}: say which is which, such as --map email=<column>`,
  );
}

const namesIn = ({ identities, submittedTime, regulation }: Mapping) => [
  ...identities.map(({ column }) => column),
  submittedTime,
  regulation,
];

/** In words. Left out silently, it would be an identity that is not erased, or another law. */
function nearlyRead(mapping: Mapping, columns: readonly string[]): string | undefined {
  const names = namesIn(mapping);
  for (const column of columns) {
    const name = names.find((it) => it === column.trim().toLowerCase());
    if (name !== undefined && !columns.includes(name)) {
      return `"${column}", which is not "${name}" to the letter and would not be read; rename it, or use --map ${name}="${column}"`;
    }
  }
  return undefined;
}

async function* ndjsonRows(
  text: AsyncIterable<string>,
  { mapping }: PeopleFormat,
): AsyncGenerator<Row> {
  let line = 0;
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const one of lines) yield* ndjsonRow(one, ++line, mapping);
    if (rest.length > MAX_RECORD) {
      throw new UnreadableInput(`line ${line + 1} is too long; is it NDJSON, one object a line`);
    }
  }
  yield* ndjsonRow(rest, ++line, mapping);
}

function* ndjsonRow(text: string, line: number, mapping: Mapping): Generator<Row> {
  if (text.trim() === '') return;
  let value: unknown;
  try {
    // Of a key that is there twice, other parsers take the last: an identity would be left out silently.
    value = readStrictJson(Buffer.from(text));
  } catch {
    // Said below.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield { line, fields: 'is not a JSON object with each key once' };
    return;
  }
  const near = nearlyRead(mapping, Object.keys(value));
  yield { line, fields: near === undefined ? (value as Record<string, unknown>) : `has ${near}` };
}

const REGULATIONS = ['gdpr', 'ccpa'];
const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** A text says what is wrong, without any value of the row. */
function requestOf(
  fields: Readonly<Record<string, unknown>>,
  { mapping, regulation, submittedTime }: PeopleFormat,
): ErasureRequest | string {
  const identities: OpenDsrIdentity[] = [];
  for (const column of mapping.identities) {
    const read = readIdentity(fields, column);
    if (typeof read === 'string') return read;
    if (read !== undefined) identities.push(read);
  }
  if (identities.length === 0) {
    return `names nobody: ${mapping.identities.map(({ column }) => column).join(', ')} are empty`;
  }
  const law = cellOf(fields, mapping.regulation) ?? regulation;
  if (law === undefined || !REGULATIONS.includes(law)) {
    return `${mapping.regulation} must be one of: ${REGULATIONS.join(', ')}`;
  }
  const time = cellOf(fields, mapping.submittedTime) ?? submittedTime;
  if (time === undefined || !isTime(time)) {
    return `${mapping.submittedTime} must be an RFC 3339 timestamp with an offset or Z, such as 2026-11-15T02:00:00Z`;
  }
  return {
    regulation: law as ErasureRequest['regulation'],
    submitted_time: time,
    subject_identities: identities,
    api_version: '2.0',
  };
}

/** For Date, 30 February is 2 March. */
function isTime(text: string): boolean {
  const day = text.slice(0, 10);
  const isDay = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  return RFC3339.test(text) && isDay && !Number.isNaN(Date.parse(text));
}

function readIdentity(
  fields: Readonly<Record<string, unknown>>,
  column: IdentityColumn,
): OpenDsrIdentity | string | undefined {
  const value = Object.hasOwn(fields, column.column) ? fields[column.column] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  // A number such as 0012 has lost something by now.
  return typeof value === 'string'
    ? identityOf(column, value)
    : `${column.column} must be a string`;
}

function cellOf(fields: Readonly<Record<string, unknown>>, column: string): string | undefined {
  const value = Object.hasOwn(fields, column) ? fields[column] : undefined;
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

export { UnreadableInput };
