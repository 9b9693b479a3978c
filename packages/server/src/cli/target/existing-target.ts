import type { Config } from '../../config/config.ts';
import type { Store } from '../../domain/store/store.ts';
import { DEFAULT_MANUAL_TARGET, type TargetConfig } from '../../domain/target/target.ts';
import { CommandFailure } from '../shared/failure.ts';

/** A misspelt target is a failure, not an empty list. One that is configured no more may have tasks. */
export async function requireTarget(
  name: string | undefined,
  { targets }: Pick<Config, 'targets'>,
  store: Store,
): Promise<void> {
  if (name === undefined || name === DEFAULT_MANUAL_TARGET) return;
  if (targets.some((target) => target.name === name)) return;
  if ((await store.tasks.tasks({ target: name, limit: 1 })).length > 0) return;
  throw noSuchTarget(name, targets);
}

export function noSuchTarget(name: string, targets: readonly TargetConfig[]): CommandFailure {
  const names = targets.map((target) => target.name).join(', ') || 'none';
  return new CommandFailure(`there is no target ${name}; there are: ${names}`);
}
