// A target's configuration laid over its catalogue: every name is a column that exists.
import type { IdentityType } from '@unwrite/protocol';
import type { TableAction } from '../../../domain/target.ts';
import type { ColumnShape } from '../catalogue.ts';

export interface Plan {
  /** Parents before children, as rows are found. */
  readonly tables: readonly PlannedTable[];
  /** Children before parents, as configured, as rows are erased. Without what is retained. */
  readonly erased: readonly PlannedTable[];
  /** References that foreign keys set to NULL or a default where the operator has listed the table. */
  readonly loosened: readonly Reference[];
  /** Foreign keys by which erasing a parent would take along, or change, rows of an erased table. */
  readonly cascading: readonly Reference[];
}

export interface PlannedTable {
  readonly name: string;
  readonly sqlName: string;
  /** The key, and behind it what children refer to. A KeyRow has their values in this order. */
  readonly columns: readonly ColumnShape[];
  readonly keySize: number;
  readonly matches: readonly PlannedMatch[];
  readonly tenant: ColumnShape | null;
  readonly vias: readonly PlannedVia[];
  readonly action: TableAction;
  /** Of `overwrite`, by column. */
  readonly overwritten: ReadonlyMap<string, ColumnShape>;
}

export interface PlannedMatch {
  readonly type: IdentityType;
  readonly column: ColumnShape;
  readonly isLowerIndexed: boolean;
}

export interface PlannedVia {
  readonly parent: string;
  readonly columns: readonly ColumnShape[];
  /** Where in the parent's KeyRow their values are. */
  readonly positions: readonly number[];
}

export interface Reference extends PlannedVia {
  readonly table: string;
  readonly sqlName: string;
}
