import type { ControllerId } from './controller-id.ts';

/** An OIDC issuer whose admin users may speak for controllers. */
export interface SsoIssuer {
  readonly issuer: string;
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
