// Reads an object of the file field by field. A problem is kept with its place and reading continues
// with a stand-in, so that all problems are named at once; what was read counts only without any.

import { didYouMean } from '../../domain/did-you-mean.ts';
import { isObject } from '../../domain/is-object.ts';
import { BadValue, type PlainKind } from '../setting.ts';

export interface Problems {
  add(place: string, message: string): void;
  /** Suppresses further problems at this place: its value is not known. */
  giveUp(place: string, message: string): void;
  readonly list: readonly string[];
}

export function createProblems(): Problems {
  const list: string[] = [];
  const unknown = new Set<string>();
  return {
    list,
    add(place, message) {
      if (!unknown.has(place)) list.push(`${place}: ${message}`);
    },
    giveUp(place, message) {
      list.push(`${place}: ${message}`);
      unknown.add(place);
    },
  };
}

export interface Fields {
  readonly place: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Null counts as absent. */
  has(name: string): boolean;
  /** Returns `otherwise` if it is absent. */
  read<T>(name: string, kind: PlainKind<T>, otherwise: T): T;
  need<T>(name: string, kind: PlainKind<T>, standIn: T): T;
  /** The object below this name; empty if it is absent. */
  below(name: string): Fields;
  /** The items of a list; one value counts as a list of one. */
  items(name: string): unknown[];
  problem(name: string, message: string): void;
  refuseOthersThan(names: readonly string[]): void;
  readonly problems: Problems;
}

export function readFields(value: unknown, place: string, problems: Problems): Fields {
  if (!isObject(value)) problems.add(place, 'must be an object, with "name: value" a line');
  const values = isObject(value) ? value : {};
  const placeOf = (name: string) => `${place}.${name}`;
  const has = (name: string) =>
    Object.hasOwn(values, name) && values[name] !== null && values[name] !== undefined;

  function read<T>(name: string, kind: PlainKind<T>, otherwise: T): T {
    return has(name)
      ? readValue(values[name], kind, otherwise, placeOf(name), problems)
      : otherwise;
  }

  return {
    place,
    values,
    problems,
    has,
    read,
    need(name, kind, standIn) {
      if (!has(name)) problems.add(placeOf(name), 'is missing');
      return read(name, kind, standIn);
    },
    below: (name) => readFields(has(name) ? values[name] : {}, placeOf(name), problems),
    items(name) {
      if (!has(name)) return [];
      const given = values[name];
      return Array.isArray(given) ? given : [given];
    },
    problem: (name, message) => problems.add(placeOf(name), message),
    refuseOthersThan(names) {
      for (const name of Object.keys(values).filter((it) => !names.includes(it))) {
        problems.add(placeOf(name), `is not a setting${didYouMean(name, names)}`);
      }
    },
  };
}

export function readValue<T>(
  raw: unknown,
  kind: PlainKind<T>,
  standIn: T,
  place: string,
  problems: Problems,
): T {
  try {
    return kind.read(raw);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    problems.add(place, error.message);
    return standIn;
  }
}
