// Why a request is held whose rows belong to others too, and what to do about it.
import type { Held } from '../../../domain/target/connector.ts';
import type { PlannedTable } from '../plan/plan.ts';

export function isShared({ name }: PlannedTable): Held {
  return {
    outcome: 'held',
    reason: 'shared',
    detail: `a row of ${name} is also tied to somebody outside this request; say "shared: erase" or "shared: keep" for ${name}, reload, then release, or retain the task`,
  };
}

export function otherTenant({ name, tenant }: Pick<PlannedTable, 'name' | 'tenant'>): Held {
  const without =
    tenant?.isNullable === true
      ? `, or leave rows without a tenant out (where: { ${tenant.name}: { not: null } } for ${name}), reload, then release`
      : '';
  return {
    outcome: 'held',
    reason: 'tenant_mismatch',
    detail: `a row of ${name} that belongs to this request is also tied to another tenant, or to none; correct the data, then release${without}, or retain the task`,
  };
}

export function ofUnknownTenant({ name }: Pick<PlannedTable, 'name'>, parent: string): Held {
  return {
    outcome: 'held',
    reason: 'tenant_mismatch',
    detail: `a row of ${name} that belongs to this request is also tied to a row of ${parent} that no entry of ${parent} covers, so that its tenant is not known; say "shared: keep" for ${name}, or add an entry of ${parent} that covers the row, reload, then release, or retain the task`,
  };
}
