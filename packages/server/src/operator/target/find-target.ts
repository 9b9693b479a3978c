import type { Store } from '../../domain/store/store.ts';
import { DEFAULT_MANUAL_TARGET, type TargetConfig } from '../../domain/target/target.ts';
import { NotFound } from '../failures.ts';

/**
 * A mistyped target is an error, not an empty list. A target that is not configured any more may still have
 * tasks.
 */
export async function requireTarget(
  name: string | undefined,
  targets: readonly TargetConfig[],
  store: Pick<Store, 'tasks'>,
): Promise<void> {
  if (name === undefined || name === DEFAULT_MANUAL_TARGET) return;
  if (targets.some((target) => target.name === name)) return;
  if ((await store.tasks.tasks({ target: name, limit: 1 })).length > 0) return;
  throw noSuchTarget(name, targets);
}

export function findTarget(name: string, targets: readonly TargetConfig[]): TargetConfig {
  const found = targets.find((target) => target.name === name);
  if (found === undefined) throw noSuchTarget(name, targets);
  return found;
}

export function noSuchTarget(name: string, targets: readonly TargetConfig[]): NotFound {
  const names = targets.map((target) => target.name).join(', ') || 'none';
  return new NotFound(`there is no target ${name}; there are: ${names}`);
}
