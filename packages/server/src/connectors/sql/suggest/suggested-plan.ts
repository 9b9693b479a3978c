// A draft plan, before it is written as YAML. A person has to decide about everything in it.
import type { TenantColumn } from './find-tenant-column.ts';

export interface SuggestedPlan {
  readonly tenant: TenantColumn | undefined;
  /** In the order in which they are erased. */
  readonly tables: readonly PlannedEntry[];
  /** `table.column`: references of other people's rows to rows that are deleted. */
  readonly detach: readonly string[];
  /** Triggers that fire when rows of these tables are deleted. */
  readonly triggers: readonly string[];
  /** A lookup for tables that can be matched only by the other type of identity. */
  readonly resolve: SuggestedResolve | undefined;
  /** The most dangerous first; their numbers are their places. */
  readonly questions: readonly Doubt[];
  readonly leftOut: readonly TableRemark[];
}

/** `question`: the entry counts only once this question is answered with yes. */
export interface PlannedEntry extends Pick<SuggestedTable, 'table' | 'notes' | 'lines'> {
  readonly question?: number;
}

export interface SuggestedTable {
  readonly table: string;
  /** Notes for the reader. */
  readonly notes: readonly string[];
  /** Why it is not certain that its rows are the person's. */
  readonly doubts: readonly string[];
  /** It is found only by what may be the controllers' number of a customer. */
  readonly isByNumber: boolean;
  /** What only a reader of the application can answer, and is not dangerous. */
  readonly questions: readonly Question[];
  /** YAML. */
  readonly lines: readonly string[];
  /** The same for a person with an address of their own, whom other rows need not lead to. */
  readonly alone?: readonly string[];
  /** Tables whose rows lead to its own. */
  readonly parents: readonly string[];
  readonly isPersonal: boolean;
  readonly hasMatch: boolean;
}

export interface Doubt {
  readonly text: string;
  /** Lines of YAML to copy. */
  readonly example?: readonly string[];
}

/** What is asked about several tables alike is one question. */
export interface Question extends Doubt {
  readonly kind: 'kept' | 'customer_id' | 'overwritten' | 'pair' | 'contents' | 'outliving';
}

export interface SuggestedResolve {
  readonly table: string;
  readonly email: string;
  readonly customerId: string;
}

export interface TableRemark {
  readonly table: string;
  readonly text: string;
}
