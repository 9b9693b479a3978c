// Finds tables that cannot be searched for a request with only one type of identity: such a request would be
// held.
import { IDENTITY_TYPES, type IdentityType } from '@unwrite/protocol';
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import { unaskedTables } from '../find/asked-tables.ts';
import type { Plan } from '../plan/plan.ts';
import { listNames, warning } from './line.ts';

export function checkIdentityTypes(config: SqlTargetConfig, plan: Plan): CheckLine[] {
  return IDENTITY_TYPES.filter((type) => config.resolve?.from.type !== type).flatMap((type) =>
    checkType(config, plan, type),
  );
}

function checkType(config: SqlTargetConfig, plan: Plan, type: IdentityType): CheckLine[] {
  const { any, left } = unaskedTables(plan, new Set([type]));
  // Only tables with a match can be given another match; their children follow.
  const open = left.filter(
    ({ matches, whenUnmatched }) => matches.length > 0 && whenUnmatched === 'hold',
  );
  if (open.length === 0 || (!any && config.whenUnmatched === 'skip')) return [];
  const others = IDENTITY_TYPES.filter((it) => it !== type).join(' or ');
  const names = listNames(open.map(({ name }) => name));
  const skip = any ? 'these tables' : 'the target';
  return [
    warning(
      'match',
      `a request that has only a ${type} is held: ${names} can be asked by ${others} alone; add ${type}: <column> to match, let a target look up the ${others} ("resolve"), or say when_unmatched: skip for ${skip}`,
    ),
  ];
}
