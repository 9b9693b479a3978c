// Reads what an operator's endpoint or module reports. It is not trusted: only names, numbers and codes of a
// fixed form are passed on, and none that repeats an identity.

import { byName } from '../domain/by-name.ts';
import { isObject } from '../domain/is-object.ts';
import { spells } from '../domain/request/spells-identity.ts';
import type { Counts, KeyRow, Keys, Subject } from '../domain/target/connector.ts';
import { canBeCounted } from '../domain/target/countable.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const CODE = /^[a-z0-9_]{1,40}$/;
const MAX_NAMES = 200;
/** Shorter identities occur in ordinary words by chance. */
const MIN_TELLING = 6;

/**
 * Undefined if it is not an object of names and whole numbers, or if the numbers are too large to be added up.
 */
export function readCounts(value: unknown, subject: Subject): Counts | undefined {
  if (!isObject(value)) return undefined;
  const pairs = Object.entries(value);
  const isSound = ([name, count]: [string, unknown]) =>
    isName(name, subject) && Number.isSafeInteger(count);
  if (pairs.length > MAX_NAMES || !pairs.every(isSound)) return undefined;
  const counts = byName(pairs.map(([name, count]) => [name, Number(count)] as const));
  return canBeCounted(counts) ? counts : undefined;
}

/** A copy: the connector may still change the object that it returned. */
export function readKeys(value: unknown, subject: Subject): Keys | undefined {
  if (!isObject(value)) return undefined;
  const keys = byName<readonly KeyRow[]>();
  for (const [name, given] of Object.entries(value)) {
    if (!isName(name, subject) || !Array.isArray(given)) return undefined;
    const rows = given.map(readKeyRow);
    if (!rows.every((row) => row !== undefined)) return undefined;
    keys[name] = rows;
  }
  return keys;
}

function readKeyRow(value: unknown): KeyRow | undefined {
  if (!Array.isArray(value)) return undefined;
  const row: unknown[] = [...value];
  return row.every(isKeyPart) ? row : undefined;
}

function isKeyPart(part: unknown): part is string | null {
  return part === null || typeof part === 'string';
}

function isName(name: string, subject: Subject): boolean {
  return NAME.test(name) && !tells(name, subject);
}

export function readCode(value: unknown, subject: Subject): string {
  const isCode = typeof value === 'string' && CODE.test(value) && !tells(value, subject);
  return isCode ? value : 'target_error';
}

/** The names with more rows than the intent orders. */
export function moreThan(counts: Counts, ordered: Counts): string[] {
  return Object.entries(counts)
    .filter(([name, count]) => count > (Object.hasOwn(ordered, name) ? (ordered[name] ?? 0) : 0))
    .map(([name]) => name);
}

function tells(text: string, { identities }: Subject): boolean {
  const folded = text.toLowerCase();
  return identities.some((identity) => {
    const value = identity.reveal().toLowerCase();
    return (
      folded === value ||
      (value.length >= MIN_TELLING && folded.includes(value)) ||
      spells(folded, value)
    );
  });
}
