// Which tenants a row belongs to: by its tenant column, or by the rows to which it refers.
import type { PlannedTable } from '../plan/plan.ts';
import type { FindBatch } from './find-context.ts';
import { isTenant, type Tenant, tenantText } from './tenants.ts';

/** null: it belongs to no tenant that is known. */
export type Tenants = ReadonlySet<string | null>;

export const NOBODYS: Tenants = new Set([null]);

/** `both`: the rows to which it refers are of several tenants, or some of them of none. */
export type Whose = 'own' | 'others' | 'nobodys' | 'both';

export function whoseOf(tenants: Tenants, own: Tenant = []): Whose {
  const mine = [...tenants].filter((tenant) => tenant !== null && own.includes(tenant));
  if (mine.length === 0) return tenants.size === 1 && tenants.has(null) ? 'nobodys' : 'others';
  return mine.length === tenants.size ? 'own' : 'both';
}

/** In the spelling of the configuration where it is that of a subject. */
export function ownTenants(
  { tenants }: Pick<FindBatch, 'tenants'>,
  { tenant }: Pick<PlannedTable, 'tenant'>,
  text: string | null,
): Tenants {
  if (tenant === null || text === null) return NOBODYS;
  const own = tenants.flat().find((one) => isTenant(tenant, text, [one]));
  return new Set([own ?? tenantText(tenant, text)]);
}
