import { TargetDown } from '../../domain/target/connector.ts';

const NAME = /^[A-Za-z_$][\w$]{0,60}$/;

/** The class of what was thrown at most: its text may quote data. */
export function moduleError(error: unknown, what: string): TargetDown {
  const name: unknown = error instanceof Error ? error.constructor.name : typeof error;
  const known = typeof name === 'string' && NAME.test(name) ? name : 'unknown';
  return new TargetDown('module_error', `${what} (${known})`);
}
