// Messages about lookups (`resolve`).
import type { Held } from './connector.ts';
import type { ResolveConfig } from './target.ts';

export function givesMore({ table, to, limit }: ResolveConfig): Held {
  return {
    outcome: 'held',
    reason: 'ambiguous_reference',
    detail: `${table} ("resolve", limit ${limit}) gives another ${to.type} for this request than was looked up or added: it may have appeared since the request started; add it (unwrite request identify), or correct the data, then release; or retain the task`,
  };
}

export function isAnothersNow({ table, to }: ResolveConfig): Held {
  return {
    outcome: 'held',
    reason: 'ambiguous_reference',
    detail: `a ${to.type} that ${table} gave for this request ("resolve") is somebody else's there by now; correct the data, then release; or retain the task`,
  };
}
