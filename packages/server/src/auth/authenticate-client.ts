import { timingSafeEqual } from 'node:crypto';
import type { TenantStore } from '../domain/ports.ts';
import type { UsableSecret } from '../domain/tenants.ts';
import { digestSecret } from './client-secret.ts';

type Tenants = Pick<TenantStore, 'usableSecrets'>;

/** As long as a real one, and never given out. */
const NOBODY = `cli_${'-'.repeat(24)}`;

/** The client of each store that was last found: what an unknown one is compared with. */
const lastFound = new WeakMap<Tenants, string>();

/**
 * The secret that fits, or undefined. Before a failure is answered, one client has been looked up that
 * is there and one that is not, whichever was asked for: finding one takes longer, and without this an
 * unknown client was answered 7 % sooner than a wrong secret (bench/tenancy-timing.ts).
 */
export function authenticateClient(
  tenants: Tenants,
  clientId: string,
  secret: string,
): UsableSecret | undefined {
  const given = digestSecret(secret);
  const usable = tenants.usableSecrets(clientId);
  const fitting = findFitting(usable, given);
  if (fitting === undefined) {
    const other = usable.length > 0 ? NOBODY : (lastFound.get(tenants) ?? NOBODY);
    findFitting(tenants.usableSecrets(other), given);
  }
  if (usable.length > 0) lastFound.set(tenants, clientId);
  return fitting;
}

function findFitting(usable: readonly UsableSecret[], given: Buffer): UsableSecret | undefined {
  let fitting: UsableSecret | undefined;
  for (const candidate of usable) {
    if (timingSafeEqual(given, candidate.digest)) fitting = candidate;
  }
  return fitting;
}
