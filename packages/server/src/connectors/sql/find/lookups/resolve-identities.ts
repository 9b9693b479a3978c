// Looks up other identities of the same people in one table of the target.
import type { Resolution, Subject } from '../../../../domain/target/connector.ts';
import type { ResolveConfig, SqlTargetConfig } from '../../../../domain/target/target.ts';
import type { SqlDialect } from '../../dialect.ts';
import { runHalving } from '../../halve.ts';
import { runReadable } from '../../run-readable.ts';
import type { SqlDatabase } from '../../session.ts';
import { refuseTenant } from '../tenants.ts';
import { identitiesOf, lookUpValues } from './lookup-values.ts';

export interface LookupTarget {
  readonly config: SqlTargetConfig;
  readonly dialect: SqlDialect;
  readonly database: SqlDatabase;
}

export async function resolveIdentities(
  { config, dialect, database }: LookupTarget,
  resolve: ResolveConfig,
  subjects: readonly Subject[],
): Promise<Resolution[]> {
  const run = (batch: readonly Subject[]) =>
    database.transaction('read', async (session): Promise<Resolution[]> => {
      const { lookup, values } = await lookUpValues({ session, dialect, config }, resolve, batch);
      return batch.map((subject, place): Resolution => {
        if (isForeign(config, subject)) return { outcome: 'resolved', identities: [] };
        const refused = refuseTenant(
          dialect,
          config,
          [lookup.table, ...lookup.plan.leads],
          subject,
        );
        if (refused !== undefined) return refused;
        const found = values[place] ?? new Set();
        const held = refuseValues(found, resolve);
        return held ?? { outcome: 'resolved', identities: identitiesOf(found, lookup, resolve) };
      });
    });
  return runHalving(subjects, run, (subject, failure) =>
    runReadable({ database, dialect }, subject, failure, run),
  );
}

/** The target belongs to another controller. */
export function isForeign({ tenancy }: SqlTargetConfig, subject: Subject): boolean {
  return tenancy.way === 'controller' && tenancy.controllerId !== subject.controllerId;
}

function refuseValues(
  values: ReadonlySet<string>,
  { table, to, limit }: ResolveConfig,
): Resolution | undefined {
  if (values.size > limit)
    return {
      outcome: 'held',
      reason: 'too_many_resolved',
      detail: `${table} has more than ${limit} values for this request; if they are right, raise "limit" of "resolve", reload and release: it is looked up again. Or add the right ones (unwrite request identify), then release: it continues without those looked up, and is held where rows of ${table} that are to be erased have another one`,
    };
  if ([...values].some(isBlank))
    return {
      outcome: 'held',
      reason: 'ambiguous_reference',
      detail: `a row of this request in ${table} has a blank ${to.column}, which identifies no person; set it to NULL or to its value, then release, which looks it up again`,
    };
  return undefined;
}

/** A blank value is shared by many people, so it identifies no one; skipping it silently could miss rows. */
function isBlank(value: string): boolean {
  return value.trim() === '';
}
