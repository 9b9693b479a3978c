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
