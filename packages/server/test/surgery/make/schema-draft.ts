// A schema in the making: tables, and what a configuration may say about them.
import type { Column, ColumnType, Table, UniqueIndex } from '../generated-case.ts';

export interface TenantPlan {
  readonly way: 'column' | 'controller' | 'none';
  readonly type: ColumnType;
  /** What the column holds for each controller. */
  readonly values: Readonly<Record<string, string>>;
}

/** A table in the making, and what the configuration may say about it. */
export interface Draft {
  readonly name: string;
  readonly columns: Column[];
  primaryKey: string[];
  readonly unique: UniqueIndex[];
  readonly references: Table['references'][number][];
  readonly triggers: Table['triggers'][number][];
  /** It is found by identities. */
  readonly isRoot: boolean;
  tenantColumn: string | undefined;
  readonly emails: string[];
  number: string | undefined;
  /** Where in a document the email stands. */
  document: { readonly column: string; readonly path: readonly string[] } | undefined;
}

export interface Schema {
  readonly tables: readonly Draft[];
  readonly tenants: TenantPlan;
}

export function addColumn(table: Draft, name: string, type: ColumnType, notNull = false): void {
  table.columns.push({ name, type, notNull });
}
