import type { ControllerId } from './controller-id.ts';

/** An OIDC issuer whose admin users may speak for controllers. */
export interface SsoIssuer {
  readonly issuer: string;
  /** Where its keys are; undefined: where its metadata say, at the issuer's own address. */
  readonly jwksUri?: string | undefined;
  readonly audience: string;
  /** Where the role stands among the claims, and which one it must be. */
  readonly roleClaim: string;
  readonly role: string;
  /** The claim that names the controller, by its slug or its recorded sso_organisation. */
  readonly organisationClaim: string;
  readonly controllers: readonly ControllerId[] | '*';
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** An issuer's addresses are https; plain http is for trying things on loopback. */
export function isSecureAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/**
 * Whether keys at this address may be those of the issuer. The operator may name any address but loopback, which
 * is for issuers that are on loopback themselves; metadata may not: they would have us ask for anything.
 */
export function mayHoldKeys(keys: URL, issuer: URL, isGiven: boolean): boolean {
  if (!isSecureAddress(keys)) return false;
  if (keys.origin === issuer.origin) return true;
  return isGiven && (!LOOPBACK.has(keys.hostname) || LOOPBACK.has(issuer.hostname));
}
