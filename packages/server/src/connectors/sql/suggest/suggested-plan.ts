// A first plan, before it is written down. Everything in it is for a person to decide.
import type { TenantColumn } from './find-tenant-column.ts';

export interface SuggestedPlan {
  readonly tenant: TenantColumn | undefined;
  /** In the order of erasing. */
  readonly tables: readonly SuggestedTable[];
  /** `table.column`: references of other people's rows to rows that go. */
  readonly detach: readonly string[];
  /** Triggers that fire when rows of these tables go. */
  readonly triggers: readonly string[];
  /** Where identities may be looked up for tables that have only the other kind. */
  readonly resolve: SuggestedResolve | undefined;
  /** Tables that may hold personal data, and that no way leads to. */
  readonly unclear: readonly TableRemark[];
  readonly others: readonly TableRemark[];
}

export interface SuggestedTable {
  readonly table: string;
  /** What to know about it. */
  readonly notes: readonly string[];
  /** What to decide about it. */
  readonly doubts: readonly Doubt[];
  readonly lines: readonly SuggestedLine[];
}

export interface Doubt {
  readonly text: string;
  /** Lines of YAML to take over. */
  readonly example?: readonly string[];
}

export interface SuggestedLine {
  /** YAML, of one line or several. */
  readonly text: string | readonly string[];
  /** Why it is not certain. */
  readonly doubts?: readonly string[];
}

export interface SuggestedResolve {
  readonly table: string;
  readonly email: string;
  readonly customerId: string;
}

export interface TableRemark extends Doubt {
  readonly table: string;
}
