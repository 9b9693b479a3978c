import { timingSafeEqual } from 'node:crypto';
import { createBoundedMap } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock.ts';
import type { TenantStore } from '../domain/tenant/tenant-ports.ts';
import type { UsableSecret } from '../domain/tenant/tenants.ts';
import { digestSecret } from './client-secret.ts';

/** How long right credentials are cached: a revoked secret works for at most this long. */
const REMEMBER_MS = 1000;
const MAX_REMEMBERED = 10_000;

/** Has the length of a real client id, and is never issued. */
const UNKNOWN_CLIENT = `cli_${'-'.repeat(24)}`;

/** The matching secret, or undefined. */
export type AuthenticateClient = (
  clientId: string,
  secret: string,
) => Promise<UsableSecret | undefined>;

export function createAuthenticateClient(
  tenants: Pick<TenantStore, 'usableSecrets'>,
  clock: Clock,
): AuthenticateClient {
  /** Only right credentials, by client id and digest: so a wrong secret is never faster for a known client. */
  const remembered = createBoundedMap<string, { secret: UsableSecret; at: number }>(MAX_REMEMBERED);
  let lastFound = UNKNOWN_CLIENT;

  return async (clientId, secret) => {
    const given = digestSecret(secret);
    const key = `${given.toString('latin1')} ${clientId}`;
    const known = remembered.get(key);
    if (known !== undefined && clock() - known.at < REMEMBER_MS) return known.secret;
    remembered.delete(key);

    const usable = await tenants.usableSecrets(clientId);
    const fitting = findFitting(usable, given);
    if (fitting === undefined) {
      // Every failure looks up one client that exists and one that does not, whichever was requested. Finding a
      // client takes longer: without this, an unknown client was answered 7 % faster than a wrong secret
      // (bench/tenancy-timing.ts).
      findFitting(
        await tenants.usableSecrets(usable.length > 0 ? UNKNOWN_CLIENT : lastFound),
        given,
      );
    } else remembered.set(key, { secret: fitting, at: clock() });
    if (usable.length > 0) lastFound = clientId;
    return fitting;
  };
}

function findFitting(usable: readonly UsableSecret[], given: Buffer): UsableSecret | undefined {
  let fitting: UsableSecret | undefined;
  for (const candidate of usable) {
    if (timingSafeEqual(given, candidate.digest)) fitting = candidate;
  }
  return fitting;
}
