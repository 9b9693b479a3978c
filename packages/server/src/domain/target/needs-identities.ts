import type { AnyType } from '../request/identity.ts';
import { parametersOf } from './sql-parameters.ts';
import type { TargetConfig } from './target.ts';

/** Whether a target may find rows by one of these types. A person who erases by hand always sees all identities. */
export function needsIdentities(target: TargetConfig, types: ReadonlySet<AnyType>): boolean {
  if (target.connector === 'manual') return false;
  if (!('work' in target)) return true;
  const { work, connector } = target;
  if (work.kind === 'tables')
    return work.tables.some(({ match }) => match.some(({ type }) => types.has(type)));
  const statements = [work.preview, ...work.erase, work.verify];
  return statements.some((statement) => {
    const used = parametersOf(statement, connector);
    return [...types].some((type) => used.has(type));
  });
}
