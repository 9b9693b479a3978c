// An admin user's token from a controller's own single sign-on (contract 5.2). Accepted only with the right
// issuer, audience, role and organisation; each issuer may act only for the controllers that it lists.
import type { JWTVerifyResult } from 'jose';
import type { Clock } from '../../domain/clock.ts';
import { type ControllerId, isControllerId } from '../../domain/tenant/controller-id.ts';
import type { SsoIssuer } from '../../domain/tenant/sso-issuer.ts';
import type { TenantStore } from '../../domain/tenant/tenant-ports.ts';
import type { ParsedJwt } from '../jwt.ts';
import { Forbidden, type Principal, Unauthenticated } from '../principal.ts';
import { hasRole, organisationOf, readClaim } from './claims.ts';
import { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts';
import { verifySignature } from './verify-signature.ts';

/** The limit of OIDC; longer values, or values with control characters, must not get into an audit row. */
const SUBJECT = /^[^\p{Cc}]{1,255}$/u;

export interface SsoVerifier {
  verify(token: string, jwt: ParsedJwt): Promise<{ principal: Principal; expiresAt: number }>;
}

type Tenants = Pick<TenantStore, 'controller' | 'controllerOfOrganisation'>;

export function createSsoVerifier(
  issuers: readonly SsoIssuer[],
  tenants: Tenants,
  clock: Clock,
  onAway: (issuer: string, error: unknown) => void,
): SsoVerifier {
  const known = new Map<string, { config: SsoIssuer; keys: IssuerKeys }>();
  for (const config of issuers) {
    const keys = createIssuerKeys(config, clock);
    known.set(config.issuer, { config, keys });
    // Fetch keys now, so that the first user does not wait; an issuer that cannot be reached is tried again
    // later.
    void keys.get().catch((error: unknown) => onAway(config.issuer, error));
  }

  return {
    async verify(token, jwt) {
      const found = typeof jwt.claims.iss === 'string' ? known.get(jwt.claims.iss) : undefined;
      if (found === undefined) {
        throw new Unauthenticated('The bearer token was refused: its issuer is not known here');
      }
      const { config, keys } = found;
      const { payload } = await verifySignature(token, jwt, config, keys, clock());
      if (!SUBJECT.test(payload.sub ?? '')) {
        throw new Unauthenticated('The bearer token was refused: its subject is not acceptable');
      }
      const principal = {
        controllerId: await controllerOf(payload, config, tenants),
        actor: `user:${payload.sub}@${config.issuer}`,
      };
      return { principal, expiresAt: (payload.exp ?? 0) * 1000 };
    },
  };
}

async function controllerOf(
  payload: JWTVerifyResult['payload'],
  config: SsoIssuer,
  tenants: Tenants,
): Promise<ControllerId> {
  if (!hasRole(readClaim(payload, config.roleClaim), config.role)) {
    throw new Forbidden(
      `This user does not have the role "${config.role}" (claim "${config.roleClaim}"); ask your administrator for it`,
    );
  }
  const organisation = organisationOf(readClaim(payload, config.organisationClaim));
  if (organisation === undefined) {
    throw new Forbidden(
      `This token names no single organisation in the claim "${config.organisationClaim}"`,
    );
  }
  const candidates = new Set<ControllerId>();
  const isOpen = async (id: ControllerId) => {
    const controller = await tenants.controller(id);
    return controller !== undefined && controller.closedTime == null;
  };
  if (isControllerId(organisation) && (await isOpen(organisation))) candidates.add(organisation);
  const recorded = await tenants.controllerOfOrganisation(organisation);
  if (recorded !== undefined && (await isOpen(recorded))) candidates.add(recorded);

  // The answer is the same for "unknown" and "not this issuer's", so it does not reveal who else is a
  // controller.
  const [controllerId, another] = [...candidates].filter(
    (candidate) => config.controllers === '*' || config.controllers.includes(candidate),
  );
  if (controllerId === undefined || another !== undefined) {
    throw new Forbidden('This token is for an organisation that its issuer may not act for here');
  }
  return controllerId;
}
