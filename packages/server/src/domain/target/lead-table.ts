import type { LeadConfig, TableConfig } from './target.ts';

/** A lead as a table of which no row is ever found. */
export function leadTable(lead: LeadConfig): TableConfig {
  return {
    ...lead,
    key: null,
    match: [],
    via: [],
    action: { kind: 'retain', reason: '' },
    shared: 'hold',
    whenUnmatched: 'hold',
  };
}
