// What a plan does, for people and scripts: how rows are found, and what happens to them.
import type { IdentityType } from '@unwrite/protocol';
import type { Shared } from './target.ts';

export interface PlanDescription {
  /** Parents before children. */
  readonly tables: readonly DescribedTable[];
  /** References in rows that stay, which become NULL when the rows that they refer to are deleted. */
  readonly loosened: readonly DescribedReference[];
}

export interface DescribedTable {
  /** Name of the entry; includes its `where` if the table is listed several times. */
  readonly table: string;
  /** By column; rows with other values do not belong to the entry. */
  readonly where?: Readonly<Record<string, DescribedWhere>>;
  /** Identities that its rows are found by. */
  readonly match: readonly DescribedMatch[];
  /** References that its rows are found by. */
  readonly via: readonly DescribedVia[];
  /** Compared with the tenant of the request; null if the table has no tenant column. */
  readonly tenantColumn: string | null;
  /** Where it has none, or that is NULL: references to the rows that have the tenant. */
  readonly tenantBy: readonly DescribedVia[];
  readonly effect: PlanEffect;
  /** What happens to a row that also belongs to another person; null if there can be none. */
  readonly shared: Shared | null;
  readonly whenUnmatched: 'hold' | 'skip';
}

/** Matches one of these values, or none of them. */
export type DescribedWhere =
  | readonly (string | null)[]
  | { readonly not: readonly (string | null)[] };

export interface DescribedMatch {
  readonly type: IdentityType;
  readonly column: string;
  /** Path of the value in the column's JSON. */
  readonly path?: string;
  /** Blanks around the value are ignored. */
  readonly trim?: true;
}

export interface DescribedVia {
  readonly parent: string;
  /** Entries of the parent, if it is listed several times. */
  readonly entries?: readonly string[];
  /** Child column to parent column. */
  readonly columns: Readonly<Record<string, string>>;
}

export interface DescribedReference extends DescribedVia {
  readonly table: string;
}

export type PlanEffect =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'overwritten'; readonly columns: readonly string[] }
  | { readonly kind: 'retained'; readonly reason: string }
  /** Not declared itself: rows are deleted with their parents. */
  | { readonly kind: 'removed_by_cascade' };
