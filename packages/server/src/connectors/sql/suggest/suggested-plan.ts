// A draft plan, before it is written as YAML. A person has to decide about everything in it.
import type { TenantColumn } from './find-tenant-column.ts';

export interface SuggestedPlan {
  readonly tenant: TenantColumn | undefined;
  /** In the order in which they are erased. */
  readonly tables: readonly SuggestedTable[];
  /** `table.column`: references of other people's rows to rows that are deleted. */
  readonly detach: readonly string[];
  /** Triggers that fire when rows of these tables are deleted. */
  readonly triggers: readonly string[];
  /** A lookup for tables that can be matched only by the other type of identity. */
  readonly resolve: SuggestedResolve | undefined;
  /** Tables that may hold personal data but are not connected to a person. */
  readonly unclear: readonly TableRemark[];
  readonly others: readonly TableRemark[];
}

export interface SuggestedTable {
  readonly table: string;
  /** Notes for the reader. */
  readonly notes: readonly string[];
  /** Questions for the reader to decide. */
  readonly doubts: readonly Doubt[];
  readonly lines: readonly SuggestedLine[];
}

export interface Doubt {
  readonly text: string;
  /** Lines of YAML to copy. */
  readonly example?: readonly string[];
}

export interface SuggestedLine {
  /** YAML, one line or several. */
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
