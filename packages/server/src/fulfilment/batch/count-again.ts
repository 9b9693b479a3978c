// Rows that an earlier attempt of the task erased are in its numbers already. Each row counts once.
import { byName } from '../../domain/by-name.ts';
import type { Erased } from '../../domain/target/connector.ts';
import { countOnce } from '../evidence/make-evidence.ts';
import { commonKeys, countKeys, withoutKeys } from '../intent/key-rows.ts';
import type { Case } from './case.ts';

/** Rows that were gone after an earlier attempt and still are count as neither erased again nor "already gone". */
export function applyErased(one: Case, erased: Erased): void {
  one.erased = erased;
  if (erased.gone === undefined) return;
  const { layout, keys, gone = byName<never>() } = one.intended;
  const idle = commonKeys(erased.gone, gone, layout);
  one.erased = { ...erased, gone: withoutKeys(erased.gone, idle, layout) };
  one.again = countOnce(one.again, countKeys(commonKeys(idle, keys, layout)));
}
