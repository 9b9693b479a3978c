// Drafts a plan for a database that is already a target, from its tables and foreign keys, without reading a
// row.
import { TargetDown } from '../../domain/target/connector.ts';
import type { SqlTargetConfig, TargetConfig } from '../../domain/target/target.ts';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { visibleLines } from '../../domain/visible-text.ts';
import { findTarget } from './find-target.ts';

/** The address of a database comes only from the configuration: a caller cannot name another one. */
export async function suggestPlan(
  name: string,
  targets: readonly TargetConfig[],
  suggest: (target: SqlTargetConfig) => Promise<string>,
): Promise<string> {
  const target = findTarget(name, targets);
  if (!('work' in target)) {
    throw new NotPossible(
      `${name} is not a database (connector: ${target.connector}): it has no tables to plan for`,
    );
  }
  try {
    return visibleLines(await suggest(target));
  } catch (error) {
    if (!(error instanceof TargetDown)) throw error;
    throw new NotPossible(`${name}: ${error.message} (${error.code})`);
  }
}
