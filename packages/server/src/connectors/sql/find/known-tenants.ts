// Whether the database knows a controller's tenant at all. A value that occurs in no row is a misspelling, or a controller
// without any data; "not found" must not be said of its people before a person has looked.
import type { Found, Preview, Subject } from '../../../domain/target/connector.ts';
import type { Plan } from '../plan/plan.ts';
import { runStatement } from '../statement.ts';
import type { TablesTarget } from '../tables-target.ts';
import type { FindContext } from './find-context.ts';
import { tenantOf, tenantText } from './tenants.ts';

/** Marks people who are found nowhere, where no row of any table has one of their controller's tenants. */
export async function markUnknownTenants(
  target: TablesTarget,
  subjects: readonly Subject[],
  previews: readonly Preview[],
): Promise<Preview[]> {
  const { tenancy } = target.config;
  const asked = new Set(
    subjects.flatMap((subject, place) =>
      isNowhere(previews[place]) ? tenantOf(tenancy, subject) : [],
    ),
  );
  const unknown = new Set<string>();
  for (const tenant of asked) if (!(await isKnown(target, tenant))) unknown.add(tenant);
  if (unknown.size === 0) return [...previews];
  return previews.map((preview, place) => {
    const subject = subjects[place];
    const tenants = subject === undefined ? [] : tenantOf(tenancy, subject);
    const tenant = tenants.find((one) => unknown.has(one));
    if (preview.outcome !== 'found' || !isNowhere(preview)) return preview;
    return tenant === undefined ? preview : { ...preview, unknownTenant: tenant };
  });
}

function isNowhere(preview: Preview | undefined): boolean {
  if (preview?.outcome !== 'found') return false;
  const { counts, retained, kept = {}, detached = {} }: Found = preview;
  return [counts, retained, kept, detached].every((tables) => Object.keys(tables).length === 0);
}

/** A positive answer is remembered: there is one search for each controller, and not for each request. */
async function isKnown(target: TablesTarget, tenant: string): Promise<boolean> {
  if (target.knownTenants.has(tenant)) return true;
  const answer = await target.read((context) => hasTenant(context, tenant));
  if (answer) target.knownTenants.add(tenant);
  return answer;
}

/** True where no table has a tenant column. */
export async function hasTenant(
  {
    session,
    dialect,
    plan,
  }: Pick<FindContext, 'session' | 'dialect'> & {
    readonly plan: Pick<Plan, 'tables' | 'leads'>;
  },
  value: string,
): Promise<boolean> {
  const tables = [...plan.tables, ...plan.leads].filter(({ tenant }) => tenant !== null);
  for (const { sqlName, tenant } of tables) {
    if (tenant === null) continue;
    const text = tenantText(tenant, value);
    if (!dialect.canHoldText(tenant, text)) continue;
    const { rows } = await runStatement(
      session,
      dialect,
      (bind) =>
        `SELECT 1 AS known FROM ${sqlName} WHERE ${dialect.amongTexts(tenant, [text], bind)} LIMIT 1`,
    );
    if (rows.length > 0) return true;
  }
  return tables.length === 0;
}
