import type { Subject } from '../../../domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import type { SqlDialect } from '../dialect.ts';
import type { OwnValues } from '../erase/own-values.ts';
import type { Plan } from '../plan/plan.ts';
import type { SqlSession } from '../session.ts';

export interface FindContext {
  readonly session: SqlSession;
  readonly dialect: SqlDialect;
  readonly config: SqlTargetConfig;
  readonly plan: Plan;
  readonly ownValues: OwnValues;
  /** What rows of the batch get where a column is overwritten by the time; `any`: it is not looked at. */
  readonly times?: readonly string[] | 'any';
}

/** A batch that is looked for in one transaction. */
export interface FindBatch extends FindContext {
  readonly subjects: readonly Subject[];
  /** Of each subject; undefined where rows are not told apart by a value. */
  readonly tenants: readonly (string | undefined)[];
  /** Whether rows are about to be changed: what is read must stay as it is until the end. */
  readonly isErasing: boolean;
}

/** How many rows of so many columns fit into one statement. */
export function sizeFor(dialect: SqlDialect, columns: number): number {
  return Math.max(1, Math.floor(dialect.maxValues / columns));
}
