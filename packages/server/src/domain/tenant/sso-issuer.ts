import type { ControllerId } from './controller-id.ts';

/** An OIDC issuer whose admin users may act for controllers. */
export interface SsoIssuer {
  readonly issuer: string;
  /** Address of its keys; undefined means the one in its metadata, which must be at the issuer's own address. */
  readonly jwksUri?: string | undefined;
  readonly audience: string;
  /** The claim with the role, and the role that is required. */
  readonly roleClaim: string;
  readonly role: string;
  /** The claim that names the controller, by its slug or its recorded sso_organisation. */
  readonly organisationClaim: string;
  readonly controllers: readonly ControllerId[] | '*';
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Addresses of issuers use https; plain http is allowed on loopback for trials. */
export function isSecureAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/**
 * Whether the address may hold the issuer's keys. The operator may name any address; loopback only for issuers that
 * are on loopback themselves. Metadata may not, because they could make us request anything.
 */
export function mayHoldKeys(keys: URL, issuer: URL, isGiven: boolean): boolean {
  if (!isSecureAddress(keys)) return false;
  if (keys.origin === issuer.origin) return true;
  return isGiven && (!LOOPBACK.has(keys.hostname) || LOOPBACK.has(issuer.hostname));
}
