// What the three databases have in common: statements with bound parameters on one connection, and a
// transaction that is rolled back on any error.

export type SqlValue = string | number | bigint | boolean | null | Uint8Array | readonly unknown[];
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlResult {
  readonly rows: readonly SqlRow[];
  /** Rows that an INSERT, UPDATE or DELETE changed itself, without those changed by cascades and triggers. */
  readonly changes: number;
  /** The number of columns in the result: two columns with the same name are one member of a row. */
  readonly columns?: number;
  /** The codes of WARNINGs that a statement which changes something has raised. Their texts may quote data. */
  readonly warnings?: readonly string[];
}

export interface SqlSession {
  query(sql: string, values?: readonly SqlValue[]): Promise<SqlResult>;
}

/** `read`: nothing can be written. `write`: on the primary, with the target's timeouts. */
export type TransactionKind = 'read' | 'write';

export interface SqlDatabase {
  /** Throws TargetDown if the server cannot be reached, SqlFailure for anything else that it refused. */
  transaction<T>(kind: TransactionKind, work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** Whether a transaction is running. */
  readonly isInUse: boolean;
  /**
   * Connections that are open now are not used again. MySQL and MariaDB let a connection keep the rights that it
   * was opened with, while their lists of grants are up to date: it may see less than they say.
   */
  renew(): void;
  close(): Promise<void>;
}

/** An error of the database. Its original text is not kept: it may quote data. */
export class SqlFailure extends Error {
  override readonly name = 'SqlFailure';
  /** `lock`: timeout or deadlock. `data`: a value or a constraint. `other`: the statement itself. */
  readonly kind: 'lock' | 'data' | 'other';
  /** Stable and short: `lock_timeout`, `deadlock`, `sql_23503`. */
  readonly code: string;
  /**
   * `reference`: rows that stay refer to rows that were to be deleted. `constraint`: another rule of the table.
   * A retry would fail in the same way.
   */
  readonly refusedBy: 'reference' | 'constraint' | undefined;

  /** `message`: in our own words; it contains at most names of tables, columns and constraints. */
  constructor(
    kind: SqlFailure['kind'],
    code: string,
    message: string,
    refusedBy?: SqlFailure['refusedBy'],
  ) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.refusedBy = refusedBy;
  }

  get isReference(): boolean {
    return this.refusedBy === 'reference';
  }
}

/** Handled like the server's own serialisation failure: retried. */
export function changedMeanwhile(): SqlFailure {
  return new SqlFailure(
    'lock',
    'serialization_failure',
    'another transaction changed the same rows',
  );
}
