// Reads JSON from the store. Others may have written to the database: JSON that Unwrite would not write is read
// as undefined, so that one unreadable row stops nothing else.
import { byName } from './by-name.ts';
import { isObject } from './is-object.ts';
import type { Counts } from './target/connector.ts';
import type { Evidence, Plan, TableEvidence, Tables } from './task/task.ts';

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function objectFromJson(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = readJson(text);
  return isObject(value) ? value : undefined;
}

/** Parsed, for display; the text itself if it is not JSON. */
export function shownJson(text: string): unknown {
  const value = readJson(text);
  return value === undefined ? text : value;
}

export function countsFromJson(text: string): Counts | undefined {
  return namedFromJson(text, (value): value is number => typeof value === 'number');
}

export function tablesFromJson(text: string): Tables | undefined {
  return namedFromJson(text, isTableEvidence);
}

export function evidenceFromJson(text: string): Evidence | undefined {
  const value = objectFromJson(text);
  if (value === undefined) return undefined;
  const { action, tables, skipped_tables: skipped = [], accepted = {} } = value;
  const isWritten =
    typeof action === 'string' &&
    isObject(tables) &&
    Object.values(tables).every(isTableEvidence) &&
    Array.isArray(skipped) &&
    isObject(accepted);
  return isWritten ? (value as unknown as Evidence) : undefined;
}

export function plannedFromJson(text: string): Plan['targets'] | undefined {
  const value = readJson(text);
  const isWritten =
    Array.isArray(value) && value.every((one) => isObject(one) && typeof one.target === 'string');
  return isWritten ? (value as Plan['targets']) : undefined;
}

function namedFromJson<T>(text: string, is: (value: unknown) => value is T) {
  const value = objectFromJson(text);
  if (value === undefined) return undefined;
  const entries = Object.entries(value);
  return entries.every((entry): entry is [string, T] => is(entry[1])) ? byName(entries) : undefined;
}

function isTableEvidence(value: unknown): value is TableEvidence {
  return isObject(value) && typeof value.rows === 'number' && typeof value.action === 'string';
}
