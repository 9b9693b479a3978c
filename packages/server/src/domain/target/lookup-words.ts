// Messages about lookups (`resolve`).
import type { Identity } from '../request/identity.ts';
import { type Counts, type Held, totalOf } from './connector.ts';
import type { ResolveConfig } from './target.ts';

export function givesMore({ table, to, limit }: ResolveConfig): Held {
  return {
    outcome: 'held',
    reason: 'ambiguous_reference',
    detail: `${table} ("resolve", limit ${limit}) gives another ${to.type} for this request than was looked up or added: it may have appeared since the request started, or be one of too many; add it (unwrite request identify), or correct the data, then release. Where there are more than the limit, raise it, reload and add one of them: all are looked up again. Or retain the task`,
  };
}

/** `alone`: rows that only those identities find. They stay if the task is released without the identities. */
export function isUnproven(where: string, unproven: readonly Identity[], alone: Counts): Held {
  const types = [...new Set(unproven.map(({ type }) => type))].join(' and ');
  const tables = Object.entries(alone).map(([table, rows]) => `${rows} in ${table}`);
  const rows = totalOf(alone);
  return {
    outcome: 'held',
    reason: 'unproven_identity',
    rows,
    detail: `a ${types} of this request was looked up in ${where}, and ${rows === 1 ? 'a row is' : `${rows} rows are`} found by it alone (${tables.join(', ')}). If it is the person's, add it (unwrite request identify; where the request was completed before, submit another one with it), then release. If not, correct the data and release: it is looked up anew, and where it is not given then, these rows stay and the receipt says so. If another request for the same person is under way, release when that one is completed: it may erase them. Or retain the task`,
  };
}
