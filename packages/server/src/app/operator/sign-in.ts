// Builds the sign-in of operators, for the server and the command line.
import { createOperatorAuthentication } from '../../auth/operator/authenticate.ts';
import { createSignIn, type SignIn } from '../../auth/operator/sign-in.ts';
import {
  createOperatorSso,
  type OperatorSsoConfig,
  ssoBasis,
} from '../../auth/operator/sso/sso.ts';
import { createTicketSealer } from '../../auth/operator/sso/ticket.ts';
import { createFailureThrottle } from '../../auth/throttle-failures.ts';
import type { Config } from '../../config/config.ts';
import type { SessionLimits } from '../../domain/operator/in-force.ts';
import type { Store } from '../../domain/store/store.ts';
import type { ErrorLog } from '../../http/errors.ts';
import type { OperatorDeps } from '../../http/operator/routes.ts';

export function createOperatorSignIn(config: Config, { operators, clock }: Store): SignIn {
  const lifetimeMs = config.operatorSessionLifetime * 1000;
  return createSignIn({ store: operators, clock, lifetimeMs });
}

export function createSignInContext(
  config: Config,
  store: Store,
  errorLog: ErrorLog,
): OperatorDeps['signIn'] {
  const { operators, clock, rowMacs } = store;
  const ssoConfig = ssoConfigOf(config);
  const limits = sessionLimitsOf(config);
  // The key is the same on all nodes, and not in the database.
  const ticketKey = () =>
    rowMacs.compute({ kind: 'operator session', id: 'sign-on tickets', fields: ['key'] });
  return {
    authentication: createOperatorAuthentication({ store: operators, clock, limits }),
    signIn: createOperatorSignIn(config, store),
    sso:
      ssoConfig === undefined
        ? null
        : createOperatorSso(ssoConfig, createTicketSealer(ticketKey(), clock), clock),
    operators,
    limits,
    clock,
    throttle: createFailureThrottle(() => performance.now()),
    links: config.operatorLinks,
    operatorUrl: config.operatorUrl,
    unavailable: errorLog.unavailable,
  };
}

export function sessionLimitsOf(config: Config): SessionLimits {
  const sso = ssoConfigOf(config);
  return {
    idleMs: config.operatorSessionIdle * 1000,
    lifetimeMs: config.operatorSessionLifetime * 1000,
    links: config.operatorLinks !== 'off',
    basis: sso === undefined ? null : ssoBasis(sso),
  };
}

function ssoConfigOf(config: Config): OperatorSsoConfig | undefined {
  const { operatorSsoIssuer: issuer, operatorSsoClientId: clientId } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: config.operatorSsoClientSecret,
    clientAuthentication: config.operatorSsoClientAuthentication,
    scope: config.operatorSsoScope,
    nameClaim: config.operatorSsoNameClaim,
    roleClaim: config.operatorSsoRoleClaim,
    roles: config.operatorSsoRoles,
    redirectUri: `${config.operatorUrl}/operator/v1/sign-in/callback`,
  };
}

/** A complete address; it uses localhost if links work only there. */
export function linkAddress(config: Config, code: string): string {
  const scheme = config.tlsCertificate === undefined ? 'http' : 'https';
  const origin =
    config.operatorLinks === 'anywhere'
      ? config.operatorUrl
      : `${scheme}://localhost:${config.operatorPort ?? config.port}`;
  return `${origin}/operator/sign-in#code=${code}`;
}
