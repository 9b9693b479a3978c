import type { Keys, Subject } from '../../../domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import type { SqlDialect } from '../dialect.ts';
import type { OwnValues } from '../erase/own-values.ts';
import type { Plan } from '../plan/plan.ts';
import type { SqlSession } from '../session.ts';
import type { Tenant } from './tenants.ts';

export interface FindContext {
  readonly session: SqlSession;
  readonly dialect: SqlDialect;
  readonly config: SqlTargetConfig;
  readonly plan: Plan;
  readonly ownValues: OwnValues;
  /** The times that rows of the batch get in columns overwritten by the time; `any`: not compared. */
  readonly times?: readonly string[] | 'any';
}

/** A batch whose rows are searched in one transaction. */
export interface FindBatch extends FindContext {
  readonly subjects: readonly Subject[];
  /** The tenant's values of each subject; none if the target does not distinguish tenants by a value. */
  readonly tenants: readonly Tenant[];
  /** True if rows will be changed in this transaction: rows that are read must not change until its end. */
  readonly isErasing: boolean;
  /** Rows of the subjects that are known from earlier, and may be gone. */
  readonly known?: readonly Keys[];
}

/** What is needed to read the rows to which others refer. */
export type ParentBatch = Omit<FindBatch, 'ownValues'>;

/** How many rows with this number of columns fit into one statement. */
export function sizeFor(dialect: SqlDialect, columns: number): number {
  return Math.max(1, Math.floor(dialect.maxValues / columns));
}
