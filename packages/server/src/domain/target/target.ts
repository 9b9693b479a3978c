// The operator's systems as declared in unwrite.config.yaml, checked and with defaults filled in. Plain data,
// so that it can be passed to a thread. The comment of a field says if it may hold a secret.
import type { IdentityType } from '@unwrite/protocol';
import type { AnyType } from '../request/identity.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type {
  HttpTargetConfig,
  OpendsrTargetConfig,
  RestTargetConfig,
  S3TargetConfig,
} from './called-targets.ts';
import type { JsonPath } from './json-path.ts';
import type { TargetCommon } from './target-common.ts';

export type {
  FindsObjects,
  HttpAuth,
  HttpTargetConfig,
  OpendsrTargetConfig,
  RestTargetConfig,
  S3Objects,
  S3TargetConfig,
} from './called-targets.ts';
export type { Hours, TargetCommon } from './target-common.ts';

export type TargetConfig =
  | SqlTargetConfig
  | HttpTargetConfig
  | ManualTargetConfig
  | OpendsrTargetConfig
  | RestTargetConfig
  | S3TargetConfig
  | ModuleTargetConfig
  | SandboxTargetConfig;

export const SQL_CONNECTORS = ['postgres', 'mysql', 'sqlite'] as const;
export type SqlConnector = (typeof SQL_CONNECTORS)[number];

export interface SqlTargetConfig extends TargetCommon {
  readonly connector: SqlConnector;
  /** The server's address, or the file's path for sqlite. May hold a password. */
  readonly address: string;
  readonly tenancy: Tenancy;
  readonly work: TablesWork | StatementsWork;
  /** Milliseconds. */
  readonly statementTimeout: number;
  readonly lockTimeout: number;
  readonly resolve: ResolveConfig | null;
  /** Findings of the check that the operator has accepted, with the reasons. */
  readonly accept: Readonly<Record<string, string>>;
  /** Tables whose rows are found through rows that another target of the same database erases. */
  readonly lostByOthers?: readonly LostTable[];
  /**
   * Lookups by other targets of the same database, in tables from which this target erases or through which it finds
   * rows.
   */
  readonly lookupsOfOthers?: readonly LookupOfOther[];
  /** Tables of the same database that other targets erase from. */
  readonly tablesOfOthers?: readonly string[];
  /** What other targets write into the column in which this one looks up: such a value identifies no person. */
  readonly overwrittenByOthers?: readonly Overwrite[];
}

export interface LookupOfOther {
  readonly source: LookingUp;
  /** This target erases from the lookup's table, so the looked-up identities must be known before. */
  readonly isErased: boolean;
}

export type LookingUp = SqlTargetConfig & { readonly resolve: ResolveConfig };

export interface LostTable {
  readonly table: string;
  readonly parent: string;
  /** The other target. */
  readonly target: string;
  /** The other target erases by hand-written statements, judged by their text. */
  readonly byStatements?: boolean;
  /** The rows of the parent say which tenant its rows are of. */
  readonly isTenant?: boolean;
}

/** How the rows of controllers are distinguished. Exactly one way is declared. */
export type Tenancy =
  | {
      readonly way: 'column';
      readonly column: string;
      /** The column's value or values as text, by controller. The value of a controller that is not listed is its id. */
      readonly values: Readonly<Record<string, string | readonly string[]>>;
    }
  /** The whole database belongs to one controller. */
  | { readonly way: 'controller'; readonly controllerId: ControllerId }
  /** Hand-written statements use :controller_id or :tenant; values as above. */
  | { readonly way: 'parameter'; readonly values: Readonly<Record<string, string>> }
  /** The operator has stated explicitly that rows of controllers are not distinguished. */
  | { readonly way: 'none' };

export interface TablesWork {
  readonly kind: 'tables';
  /** In the order in which they are erased. */
  readonly tables: readonly TableConfig[];
  /** Tables and views that are only read, because they know the tenants of other tables' rows. Absent if there are none. */
  readonly leads?: readonly LeadConfig[];
  /** Further tables whose rows foreign keys or triggers may change. */
  readonly cascades: readonly string[];
  /** Triggers on these tables that the operator has reviewed. */
  readonly triggers: readonly string[];
  /**
   * Columns of rows that stay, which may become NULL if they refer to deleted rows. Absent if none is listed.
   */
  readonly detach?: readonly DetachedColumn[];
}

export type LeadConfig = Pick<TableConfig, 'table' | 'tenantColumn' | 'tenant'>;

export interface DetachedColumn {
  readonly table: string;
  readonly column: string;
}

export interface TableConfig {
  /** As written, with a schema if one is given: `billing.invoices`. */
  readonly table: string;
  /** Name in counts, intents and evidence, if the table is listed several times. */
  readonly name?: string;
  /** The entry ignores all other rows. Absent means every row of the table. */
  readonly where?: WhereConfig;
  /** By column of `where`: it refers to a row of another table, which has the value in the named column. */
  readonly whereBy?: WhereByConfig;
  /** Columns that identify a row; null means the primary key. */
  readonly key: readonly string[] | null;
  /** Tenant column of this table; null means that of the target. */
  readonly tenantColumn: string | null;
  /** Where it has no tenant column, or that is NULL: a row has the tenant of the rows to which it refers by these. */
  readonly tenant?: readonly ViaConfig[];
  /** Its rows belong to all tenants: they stay, and lead to rows that have a tenant. */
  readonly tenancy?: 'none';
  /** A row that matches in any of these columns belongs to the request. */
  readonly match: readonly MatchConfig[];
  /** A row that refers to a row of the request by any of these belongs to it too. */
  readonly via: readonly ViaConfig[];
  readonly action: TableAction;
  /** What happens to a row that is also tied to a person outside the request. */
  readonly shared: Shared;
  /** What happens to a request without an identity to query this table with. */
  readonly whenUnmatched: 'hold' | 'skip';
}

/** Unique in a target. */
export function entryName({ name, table }: Pick<TableConfig, 'name' | 'table'>): string {
  return name ?? table;
}

/** By column: a row has one of these values, or none of them. All columns must match. */
export type WhereConfig = Readonly<Record<string, WhereValues>>;
export type WhereByConfig = Readonly<
  Record<string, { readonly table: string; readonly column: string }>
>;
export type WhereValues = readonly WhereValue[] | { readonly not: readonly WhereValue[] };
export type WhereValue = string | number | boolean | null;

export function whereValues(where: WhereValues): readonly WhereValue[] {
  return 'not' in where ? where.not : where;
}

export type Shared = 'hold' | 'erase' | 'keep';

export interface MatchConfig {
  readonly type: IdentityType;
  readonly column: string;
  /** Path of the value in the column's JSON. Absent if the column itself is the value. */
  readonly path?: JsonPath;
  /** Blanks around the stored value are ignored. */
  readonly trim?: true;
}

/** One reference: all its columns together. */
export interface ViaConfig {
  readonly parent: string;
  /** If the parent is listed several times: the entries that this reference leads to. Absent means all. */
  readonly entries?: readonly string[];
  /** Child column to parent column. */
  readonly columns: Readonly<Record<string, string>>;
}

export type TableAction =
  | { readonly kind: 'delete' }
  | { readonly kind: 'overwrite'; readonly columns: Readonly<Record<string, Overwrite>> }
  | { readonly kind: 'retain'; readonly reason: string };

export type Overwrite =
  | { readonly kind: 'null' }
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  /** A keyed hash of the old value: pseudonymous, not erased. */
  | { readonly kind: 'hash' }
  /** A text that no other row has: `{random}` in it is replaced by a new value in each row and column. */
  | { readonly kind: 'unique'; readonly text: string }
  /** The time of erasing. */
  | { readonly kind: 'now' }
  /** Parts of a JSON document, by path; the rest stays. A missing part stays absent. */
  | { readonly kind: 'json'; readonly changes: Readonly<Record<string, JsonChange>> };

export type JsonChange =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'remove' };

/** Placeholder in the text of a unique value. */
export const RANDOM = '{random}';

/** Hand-written SQL with named parameters; each statement runs once per request. */
export interface StatementsWork {
  readonly kind: 'statements';
  /** Returns one row with one number, or rows of a name and a number. */
  readonly preview: string;
  readonly erase: readonly string[];
  /** Returns what is left, in the form of the preview. */
  readonly verify: string;
}

/** One kind of identity looked up from another, before any target erases. */
export interface ResolveConfig {
  readonly table: string;
  /** The lookup ignores all other rows. */
  readonly where?: WhereConfig;
  readonly from: { readonly type: IdentityType; readonly column: string };
  readonly to: { readonly type: AnyType; readonly column: string };
  /** With more results than this, the task is held. */
  readonly limit: number;
}

export interface ManualTargetConfig extends TargetCommon {
  readonly connector: 'manual';
  /** Instructions for the person who erases, shown with the task. */
  readonly instructions: string | null;
}

/** Made for `serve --sandbox`; cannot be configured. */
export interface SandboxTargetConfig extends TargetCommon {
  readonly connector: 'sandbox';
}

export interface ModuleTargetConfig extends TargetCommon {
  readonly connector: 'module';
  /** Absolute path of the operator's file. */
  readonly file: string;
  /** Passed to the module unchanged; may hold secrets. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Milliseconds for one call. */
  readonly timeout: number;
}

/** The target of every request if no target is configured. */
export const DEFAULT_MANUAL_TARGET = 'manual';
