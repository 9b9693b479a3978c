import { timingSafeEqual } from 'node:crypto';
import type { TenantStore } from '../domain/ports.ts';
import type { UsableSecret } from '../domain/tenants.ts';
import { digestSecret } from './client-secret.ts';

const NO_DIGEST = Buffer.alloc(32);

/**
 * The secret that fits, or undefined. An unknown client takes the same statement and the same
 * comparison as a wrong secret, so that neither can be told from the other.
 */
export function authenticateClient(
  tenants: Pick<TenantStore, 'usableSecrets'>,
  clientId: string,
  secret: string,
): UsableSecret | undefined {
  const given = digestSecret(secret);
  const usable = tenants.usableSecrets(clientId);
  let fitting: UsableSecret | undefined;
  for (const candidate of usable) {
    if (timingSafeEqual(given, candidate.digest)) fitting = candidate;
  }
  if (usable.length === 0) timingSafeEqual(given, NO_DIGEST);
  return fitting;
}
