// Which tenants a row belongs to: by its tenant column, or by the rows to which it refers.
import type { PlannedTable } from '../plan/plan.ts';
import type { FindBatch } from './find-context.ts';
import { isTenant, tenantText } from './tenants.ts';

/** null: it belongs to no tenant that is known. */
export type Tenants = ReadonlySet<string | null>;

export const NOBODYS: Tenants = new Set([null]);

/** `both`: the rows to which it refers are of several tenants, or some of them of none. */
export type Whose = 'own' | 'others' | 'nobodys' | 'both';

export function whoseOf(tenants: Tenants, own: string | undefined): Whose {
  if (own === undefined || !tenants.has(own))
    return tenants.size === 1 && tenants.has(null) ? 'nobodys' : 'others';
  return tenants.size === 1 ? 'own' : 'both';
}

/** In the spelling of the configuration where it is that of a subject. */
export function ownTenants(
  { tenants }: Pick<FindBatch, 'tenants'>,
  { tenant }: Pick<PlannedTable, 'tenant'>,
  text: string | null,
): Tenants {
  if (tenant === null || text === null) return NOBODYS;
  const own = tenants.find((one) => isTenant(tenant, text, one));
  return new Set([own ?? tenantText(tenant, text)]);
}
