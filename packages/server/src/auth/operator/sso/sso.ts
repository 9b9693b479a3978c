// Single sign-on of operators: OpenID Connect, authorization code with PKCE, against the operator's own issuer.
import { hash } from 'node:crypto';
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { OperatorRole } from '../../../domain/operator/role.ts';
import { IssuerUnavailable } from '../../principal.ts';
import type { SingleSignOn } from '../sign-in.ts';
import { type ClientAtIssuer, createIssuerConfiguration } from './discover.ts';
import { type Claims, claimIn, nameOf, roleOf } from './person.ts';
import { addTicket, type Ticket, type TicketSealer, takeTicket } from './ticket.ts';

const MAX_REMEMBERED = 10_000;

export interface OperatorSsoConfig extends ClientAtIssuer {
  readonly scope: string;
  readonly nameClaim: string;
  readonly roleClaim: string;
  readonly roles: Readonly<Record<OperatorRole, readonly string[]>> | undefined;
  readonly redirectUri: string;
}

/** The sign-on failed; the message is for the person. */
export class SignOnRefused extends Error {
  override readonly name = 'SignOnRefused';
  /** The name, if it is already known. */
  readonly person: string | null;
  /** For the audit log: contains no values of claims. */
  readonly reason: string;

  constructor(message: string, reason: string, person: string | null = null) {
    super(message);
    this.reason = reason;
    this.person = person;
  }
}

/** The reason if the issuer was not asked at all. */
export const NO_TICKET = 'no ticket';

export interface OperatorSso {
  /** The address to send the browser to, and the new value of its cookie, which also keeps tickets of other tabs. */
  begin(
    returnTo: string,
    tickets: string | undefined,
  ): Promise<{ readonly address: string; readonly tickets: string }>;
  /** What stays in the cookie for other tabs, whether this sign-on succeeds or not. */
  rest(tickets: string | undefined, pathAndQuery: string): string | undefined;
  /** Rejects with SignOnRefused, or IssuerUnavailable. */
  finish(
    tickets: string | undefined,
    pathAndQuery: string,
  ): Promise<{ readonly person: SingleSignOn; readonly returnTo: string }>;
}

/** Stored with each session: when the issuer or the mapping changes, the session ends. */
export function ssoBasis(config: Omit<OperatorSsoConfig, 'redirectUri'>): string {
  const { issuer, clientId, nameClaim, roleClaim, roles } = config;
  const text = JSON.stringify([issuer, clientId, nameClaim, roleClaim, roles ?? null]);
  return hash('sha256', text).slice(0, 32);
}

export function createOperatorSso(
  config: OperatorSsoConfig,
  sealer: TicketSealer,
  clock: Clock,
): OperatorSso {
  const configuration = createIssuerConfiguration(config, clock);
  const basis = ssoBasis(config);
  /** Tickets that were used on this node; the issuer, too, accepts each code only once. */
  const used = createBoundedMap<string, true>(MAX_REMEMBERED);

  return {
    async begin(returnTo, before) {
      const oidc = await import('openid-client');
      const verifier = oidc.randomPKCECodeVerifier();
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
      const address = oidc.buildAuthorizationUrl(await configuration.get(), {
        redirect_uri: config.redirectUri,
        scope: config.scope,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      const ticket = sealer.seal({ state, nonce, verifier, returnTo });
      return { address: address.href, tickets: addTicket(before, ticket) };
    },
    rest: (tickets, pathAndQuery) => takeTicket(sealer, tickets, stateIn(pathAndQuery)).rest,
    async finish(tickets, pathAndQuery) {
      const { ticket } = takeTicket(sealer, tickets, stateIn(pathAndQuery));
      if (ticket === undefined) {
        throw new SignOnRefused(
          'This sign-in was begun in another browser, at another address, or more than ten minutes ago. Begin again.',
          NO_TICKET,
        );
      }
      if (used.get(ticket.state) === true) {
        throw new SignOnRefused('This sign-in was used already. Begin again.', NO_TICKET);
      }
      const { subject, places } = await askIssuer(
        ticket,
        new URL(pathAndQuery, config.redirectUri),
      );
      // Only now: a forged callback must not use up the ticket.
      used.set(ticket.state, true);
      const name = nameOf(claimIn(places, config.nameClaim), subject);
      const role = roleOf(claimIn(places, config.roleClaim), config.roles);
      if (role === undefined) {
        throw new SignOnRefused(
          `${name} has no role here: the claim "${config.roleClaim}" has none of the values that operator_sso.roles names. Ask the administrator of your company's sign-on for access to Unwrite.`,
          'no role',
          name,
        );
      }
      const person = { name, role, basis, issuer: config.issuer, subject };
      return { person, returnTo: ticket.returnTo };
    },
  };

  async function askIssuer(
    ticket: Ticket,
    callback: URL,
  ): Promise<{ readonly subject: string; readonly places: readonly Claims[] }> {
    const oidc = await import('openid-client');
    const known = await configuration.get();
    try {
      const tokens = await oidc.authorizationCodeGrant(known, callback, {
        pkceCodeVerifier: ticket.verifier,
        expectedState: ticket.state,
        expectedNonce: ticket.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('no ID token');
      const { sub: subject } = claims;
      const isComplete = [config.roleClaim, config.nameClaim].every(
        (claim) => claimIn([claims], claim) !== undefined,
      );
      if (isComplete || known.serverMetadata().userinfo_endpoint === undefined) {
        return { subject, places: [claims] };
      }
      // Some providers have roles and addresses only at the user info endpoint.
      const info = await oidc.fetchUserInfo(known, tokens.access_token, subject);
      return { subject, places: [claims, info] };
    } catch (error) {
      configuration.doubt();
      throw refusal(error);
    }
  }

  function stateIn(pathAndQuery: string): string | null {
    return new URL(pathAndQuery, config.redirectUri).searchParams.get('state');
  }
}

/** Whether the issuer itself failed, which says nothing about the person. */
function hasFailed(error: unknown): boolean {
  for (let it = error; it instanceof Error; it = it.cause) {
    if (it.cause instanceof Response) return it.cause.status >= 500 || it.cause.status === 429;
  }
  return false;
}

/** Only the error code of the issuer's answer is passed on. */
function refusal(error: unknown): Error {
  const { code, error: answered } = error as { code?: string; error?: string };
  const isAway = code === 'OAUTH_TIMEOUT' || error instanceof TypeError || hasFailed(error);
  if (isAway) {
    return new IssuerUnavailable('The sign-on of your company does not answer; try again later', {
      cause: error,
    });
  }
  const given = String(answered ?? code ?? 'unknown');
  const reason = /^\w{1,60}$/.test(given) ? given : 'unknown';
  return new SignOnRefused(
    `The sign-on of your company did not confirm who you are (${reason}). Begin again; if it fails again, tell the operator of this service.`,
    reason,
  );
}
