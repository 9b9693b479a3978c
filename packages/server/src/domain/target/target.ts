// The operator's systems as declared in unwrite.config.yaml, checked and with defaults filled in. Plain data,
// so that it can be passed to a thread. The comment of a field says if it may hold a secret.
import type { IdentityType } from '@unwrite/protocol';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { JsonPath } from './json-path.ts';

export type TargetConfig =
  | SqlTargetConfig
  | HttpTargetConfig
  | ManualTargetConfig
  | ModuleTargetConfig;

export interface TargetCommon {
  readonly name: string;
  /** `preview` counts and holds; nothing is touched until an operator releases. */
  readonly mode: 'erase' | 'preview';
  /** The controllers whose data it holds; null means all. Others' requests get no task here. */
  readonly controllers: readonly ControllerId[] | null;
  readonly maxRowsPerSubject: number;
  /** Most rows erased here on one UTC day; further tasks wait for the next day. Null means no limit. */
  readonly maxRowsPerDay: number | null;
  readonly batchSize: number;
  /** Batches at a time. Two where the server works on one while we are busy with the other. */
  readonly concurrency: number;
  /** Its batches run only then; null means always. */
  readonly hours: Hours | null;
  /** What becomes of a request without an identity that it can use. */
  readonly whenUnmatched: 'hold' | 'skip';
  /** Targets that a request is erased from before this one, as written. */
  readonly after?: readonly string[];
  /** The same, with those that follow from lookups. */
  readonly runsAfter?: readonly string[];
  /** Digest of the settings that decide what is erased; contains no secrets. */
  readonly digest: string;
  /**
   * Digest of the settings that decide which rows are meant: not mode, limits or hours. An intent is valid for one
   * of these digests. The part before the hyphen says where the rows are.
   */
  readonly planDigest: string;
}

/** Minutes since midnight in a time zone; `from` later than `to` crosses midnight. */
export interface Hours {
  readonly from: number;
  readonly to: number;
  readonly timeZone: string;
  /** As written. */
  readonly text: string;
}

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
  /** Findings of the check that the operator has looked at, with the reasons. */
  readonly accept: Readonly<Record<string, string>>;
  /** Tables whose rows are found by rows that another target of the same database erases. */
  readonly lostByOthers?: readonly LostTable[];
  /**
   * Other targets of the same database that look identities up in tables which this one erases from, or which this one finds
   * rows by.
   */
  readonly lookupsOfOthers?: readonly LookupOfOther[];
  /** What other targets write into the column that this one looks identities up in: nobody's identity. */
  readonly overwrittenByOthers?: readonly Overwrite[];
}

export interface LookupOfOther {
  readonly source: LookingUp;
  /** This one erases from its table: what it gives has to be known before. */
  readonly isErased: boolean;
}

export type LookingUp = SqlTargetConfig & { readonly resolve: ResolveConfig };

export interface LostTable {
  readonly table: string;
  readonly parent: string;
  /** The other target. */
  readonly target: string;
  /** By its hand-written statements, as their texts say. */
  readonly byStatements?: boolean;
}

/** How one controller's rows are told from another's. Exactly one way is declared. */
export type Tenancy =
  | {
      readonly way: 'column';
      readonly column: string;
      /** The column's value as text; a controller that is not in it is written as its own id. */
      readonly values: Readonly<Record<string, string>>;
    }
  /** The whole database belongs to one controller. */
  | { readonly way: 'controller'; readonly controllerId: ControllerId }
  /** Hand-written statements use :controller_id or :tenant; values as above. */
  | { readonly way: 'parameter'; readonly values: Readonly<Record<string, string>> }
  /** The operator has said in so many words that rows are not told apart. */
  | { readonly way: 'none' };

export interface TablesWork {
  readonly kind: 'tables';
  /** In the order of erasing. */
  readonly tables: readonly TableConfig[];
  /** Further tables whose rows foreign keys or triggers may change. */
  readonly cascades: readonly string[];
  /** Triggers on them that the operator has looked at. */
  readonly triggers: readonly string[];
  /**
   * Columns of rows that stay, which may become NULL where they refer to rows that are deleted. Absent where
   * none is listed, so that the digest of such a plan is what it was.
   */
  readonly detach?: readonly DetachedColumn[];
}

export interface DetachedColumn {
  readonly table: string;
  readonly column: string;
}

export interface TableConfig {
  /** As written, with its schema where one is given: `billing.invoices`. */
  readonly table: string;
  /** What counts, intents and evidence call it where the table is listed several times. */
  readonly name?: string;
  /** Rows outside do not exist for this entry. Absent: every row of the table. */
  readonly where?: WhereConfig;
  /** Columns that name a row; null means the primary key. */
  readonly key: readonly string[] | null;
  /** Its own name of the tenant column; null means that of the target. */
  readonly tenantColumn: string | null;
  /** Its rows are of all tenants: they stay, and lead to rows that say whose they are. */
  readonly tenancy?: 'none';
  /** A row that matches in any of these columns belongs to the request. */
  readonly match: readonly MatchConfig[];
  /** A row that refers to a row of the request by any of these belongs to it too. */
  readonly via: readonly ViaConfig[];
  readonly action: TableAction;
  /** What happens to a row that is also tied to a person outside the request. */
  readonly shared: Shared;
  /** What becomes of a request that has no identity to ask this table with. */
  readonly whenUnmatched: 'hold' | 'skip';
}

/** Unique in a target. */
export function entryName({ name, table }: Pick<TableConfig, 'name' | 'table'>): string {
  return name ?? table;
}

/** By column: a row has one of these values in each of them, or none of them. */
export type WhereConfig = Readonly<Record<string, WhereValues>>;
export type WhereValues = readonly WhereValue[] | { readonly not: readonly WhereValue[] };
export type WhereValue = string | number | boolean | null;

export function whereValues(where: WhereValues): readonly WhereValue[] {
  return 'not' in where ? where.not : where;
}

export type Shared = 'hold' | 'erase' | 'keep';

export interface MatchConfig {
  readonly type: IdentityType;
  readonly column: string;
  /** To the value inside the column's JSON. Absent: the column is the value. */
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
  /** A keyed hash of what was there: pseudonymous, not erased. */
  | { readonly kind: 'hash' }
  /** A text that no other row has: `{random}` in it becomes something new in each row and column. */
  | { readonly kind: 'unique'; readonly text: string }
  /** The time of erasing. */
  | { readonly kind: 'now' }
  /** Parts of a JSON document, by path; the rest stays. A part that is not there stays absent. */
  | { readonly kind: 'json'; readonly changes: Readonly<Record<string, JsonChange>> };

export type JsonChange =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'remove' };

/** In the text of a unique value. */
export const RANDOM = '{random}';

/** Hand-written SQL with named parameters; each statement runs once a request. */
export interface StatementsWork {
  readonly kind: 'statements';
  /** Answers one row with one number, or rows of a name and a number. */
  readonly preview: string;
  readonly erase: readonly string[];
  /** Answers, as the preview does, what is left. */
  readonly verify: string;
}

/** One kind of identity looked up from another, before any target erases. */
export interface ResolveConfig {
  readonly table: string;
  /** Rows outside do not exist for it. */
  readonly where?: WhereConfig;
  readonly from: { readonly type: IdentityType; readonly column: string };
  readonly to: { readonly type: IdentityType; readonly column: string };
  /** More results than this: held. */
  readonly limit: number;
}

export type HttpAuth =
  | { readonly kind: 'none' }
  /** All of these hold secrets. */
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'hmac'; readonly secret: string };

export interface HttpTargetConfig extends TargetCommon {
  readonly connector: 'http';
  readonly url: string;
  readonly auth: HttpAuth;
  /** `none`: the report of the target is trusted, and the evidence says so. */
  readonly verify: 'requery' | 'none';
  /** Addresses and networks that may be reached although they are not public, or all of them. */
  readonly allowPrivate: boolean | readonly string[];
  /** Milliseconds for one call, and for a whole answer by polling. */
  readonly timeout: number;
  readonly pollTimeout: number;
}

export interface ManualTargetConfig extends TargetCommon {
  readonly connector: 'manual';
  /** Instructions for the person who erases, shown with the task. */
  readonly instructions: string | null;
}

export interface ModuleTargetConfig extends TargetCommon {
  readonly connector: 'module';
  /** Absolute path of the operator's file. */
  readonly file: string;
  /** Handed to it as they are; may hold secrets. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Milliseconds for one call. */
  readonly timeout: number;
}

/** The target of every request while none is configured. */
export const DEFAULT_MANUAL_TARGET = 'manual';
