// A schema in the making: tables, and what a configuration may say about them.
import type { Column, ColumnType, Pair, Table, UniqueIndex } from '../generated-case.ts';

export interface TenantPlan {
  readonly way: 'column' | 'controller' | 'none';
  readonly type: ColumnType;
  /** What the column holds for each controller. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
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
  /** It has rows that other people have too, and that are to be kept. */
  isShared: boolean;
  /** `tenancy: none`. */
  isOfAllTenants: boolean;
  /** Read only, for the tenants of others' rows: `action: lead`. */
  isLead: boolean;
  /** Its rows are properties of rows of another table; those of one kind have the email, and lead to it. */
  properties: { readonly of: string; readonly owner: Pair } | undefined;
}

export const PROPERTY = { column: 'kind', email: 'email', others: ['phone', 'name'] } as const;

/** A table without anything yet. */
export function startDraft(name: string, isRoot: boolean): Draft {
  return {
    name,
    columns: [],
    primaryKey: [],
    unique: [],
    references: [],
    triggers: [],
    isRoot,
    tenantColumn: undefined,
    emails: [],
    number: undefined,
    document: undefined,
    isShared: false,
    isOfAllTenants: false,
    isLead: false,
    properties: undefined,
  };
}

export interface Schema {
  readonly tables: readonly Draft[];
  readonly tenants: TenantPlan;
  /** With few oddities. */
  readonly isPlain: boolean;
}

export function addColumn(table: Draft, name: string, type: ColumnType, notNull = false): void {
  table.columns.push({ name, type, notNull });
}
