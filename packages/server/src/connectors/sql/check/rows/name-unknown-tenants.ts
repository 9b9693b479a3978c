// Names controllers whose tenant is in no row: a misspelling would make every request of theirs "not found".
import type { CheckLine } from '../../../../domain/target/connector.ts';
import { hasTenant } from '../../find/known-tenants.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CheckContext } from '../check-context.ts';
import { warning } from '../line.ts';

export async function nameUnknownTenants(
  { config, database, dialect, attempt }: CheckContext,
  plan: Pick<Plan, 'tables' | 'leads'>,
): Promise<CheckLine[]> {
  const { tenancy } = config;
  if (tenancy.way !== 'column') return [];
  return attempt('tenancy', async () => {
    const lines: CheckLine[] = [];
    const listed = Object.entries(tenancy.values).flatMap(([id, values]) =>
      [values].flat().map((tenant) => [id, tenant] as const),
    );
    for (const [controllerId, tenant] of listed) {
      const isKnown = await database.transaction('read', (session) =>
        hasTenant({ session, dialect, plan }, tenant),
      );
      if (!isKnown)
        lines.push(
          warning(
            'tenancy',
            `no row of any table has "${tenant}", the tenant of ${controllerId}: is it misspelt? Its requests are held (unknown_tenant)`,
          ),
        );
    }
    return lines;
  });
}
