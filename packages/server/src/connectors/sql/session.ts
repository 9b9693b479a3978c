// What the three databases have in common: statements with bound parameters on one connection, and a
// transaction that is rolled back on any error.

export type SqlValue = string | number | bigint | boolean | null | Uint8Array | readonly unknown[];
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlResult {
  readonly rows: readonly SqlRow[];
  /** Rows that an INSERT, UPDATE or DELETE named; without what cascades and triggers did. */
  readonly changes: number;
  /** How many columns the statement answers: two of one name are one value of a row. */
  readonly columns?: number;
}

export interface SqlSession {
  query(sql: string, values?: readonly SqlValue[]): Promise<SqlResult>;
}

/** `read`: nothing can be written in it. `write`: on the primary, with the target's timeouts. */
export type TransactionKind = 'read' | 'write';

export interface SqlDatabase {
  /** Throws TargetDown where the server cannot be reached, SqlFailure for anything else it refused. */
  transaction<T>(kind: TransactionKind, work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** Whether a transaction is under way. */
  readonly isInUse: boolean;
  close(): Promise<void>;
}

/** What a database refused. Its own text stays behind: it may quote data. */
export class SqlFailure extends Error {
  override readonly name = 'SqlFailure';
  /** `lock`: timeout or deadlock. `data`: a value or a constraint. `other`: the statement itself. */
  readonly kind: 'lock' | 'data' | 'other';
  /** Stable and short: `lock_timeout`, `deadlock`, `sql_23503`. */
  readonly code: string;
  /**
   * `reference`: rows that stay refer to rows that were to go. `constraint`: another rule of the table. Tried
   * again, either would refuse the same.
   */
  readonly refusedBy: 'reference' | 'constraint' | undefined;

  /** `message`: in our words, with names of tables, columns and constraints at most. */
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
