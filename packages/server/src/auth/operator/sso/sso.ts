// Single sign-on of operators: OpenID Connect, authorization code with PKCE, against the operator's own issuer.
import { hash } from 'node:crypto';
import type { Configuration } from 'openid-client';
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { OperatorRole } from '../../../domain/operator/role.ts';
import { IssuerUnavailable } from '../../principal.ts';
import type { SingleSignOn } from '../sign-in.ts';
import { type Claims, claimIn, nameOf, roleOf } from './person.ts';
import type { TicketSealer } from './ticket.ts';

const TIMEOUT_S = 10;
const MAX_REMEMBERED = 10_000;
/** Metadata of an issuer change seldom; a change is seen after this. */
const DISCOVER_AGAIN_MS = 3_600_000;

export interface OperatorSsoConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly clientAuthentication: 'basic' | 'post';
  readonly scope: string;
  readonly nameClaim: string;
  readonly roleClaim: string;
  readonly roles: Readonly<Record<OperatorRole, readonly string[]>> | undefined;
  readonly redirectUri: string;
}

/** The sign-on did not come to its end; the message is for the person. */
export class SignOnRefused extends Error {
  override readonly name = 'SignOnRefused';
  /** As far as it is known by then. */
  readonly person: string | null;
  /** For the audit log: no values of claims. */
  readonly reason: string;

  constructor(message: string, reason: string, person: string | null = null) {
    super(message);
    this.reason = reason;
    this.person = person;
  }
}

/** The reason where nothing was asked of the issuer. */
export const NO_TICKET = 'no ticket';

export interface OperatorSso {
  /** Where to send the browser, and what its cookie must bring back. */
  begin(returnTo: string): Promise<{ readonly address: string; readonly ticket: string }>;
  /** Rejects with SignOnRefused, or IssuerUnavailable. */
  finish(
    ticket: string | undefined,
    pathAndQuery: string,
  ): Promise<{ readonly person: SingleSignOn; readonly returnTo: string }>;
}

/** Sessions keep it: where the issuer or the mapping changes, they are over. */
export function ssoBasis(config: Omit<OperatorSsoConfig, 'redirectUri'>): string {
  const { issuer, clientId, nameClaim, roleClaim, roles } = config;
  const text = JSON.stringify([issuer, clientId, nameClaim, roleClaim, roles ?? null]);
  return hash('sha256', text).slice(0, 32);
}

export function createOperatorSso(config: OperatorSsoConfig, tickets: TicketSealer): OperatorSso {
  const configuration = createConfiguration(config);
  const basis = ssoBasis(config);
  /** Of this node; the issuer takes each code once, too. */
  const used = createBoundedMap<string, true>(MAX_REMEMBERED);

  return {
    async begin(returnTo) {
      const oidc = await import('openid-client');
      const verifier = oidc.randomPKCECodeVerifier();
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
      const address = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: config.redirectUri,
        scope: config.scope,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { address: address.href, ticket: tickets.seal({ state, nonce, verifier, returnTo }) };
    },
    async finish(sealed, pathAndQuery) {
      const ticket = sealed === undefined ? undefined : tickets.open(sealed);
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
      // Not before: a callback that somebody else made must not use it up.
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
    ticket: { readonly state: string; readonly nonce: string; readonly verifier: string },
    callback: URL,
  ): Promise<{ readonly subject: string; readonly places: readonly Claims[] }> {
    const oidc = await import('openid-client');
    const known = await configuration();
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
      // Some providers have roles and addresses there alone.
      const info = await oidc.fetchUserInfo(known, tokens.access_token, subject);
      return { subject, places: [claims, info] };
    } catch (error) {
      throw refusal(error);
    }
  }
}

/** Fetched when somebody signs on; an issuer that was away is asked again the next time. */
function createConfiguration(config: OperatorSsoConfig): () => Promise<Configuration> {
  let known: { readonly at: number; readonly made: Promise<Configuration> } | undefined;

  async function discover(): Promise<Configuration> {
    const oidc = await import('openid-client');
    const issuer = new URL(config.issuer);
    const secret = config.clientSecret;
    const authentication =
      secret === undefined
        ? oidc.None()
        : config.clientAuthentication === 'basic'
          ? oidc.ClientSecretBasic(secret)
          : oidc.ClientSecretPost(secret);
    // The settings take http for loopback only.
    const isPlain = issuer.protocol === 'http:';
    try {
      return await oidc.discovery(
        issuer,
        config.clientId,
        { [oidc.clockTolerance]: 30 },
        authentication,
        {
          timeout: TIMEOUT_S,
          // The ID token's signature is verified too, not only the connection that it came by.
          execute: [
            oidc.enableNonRepudiationChecks,
            ...(isPlain ? [oidc.allowInsecureRequests] : []),
          ],
        },
      );
    } catch (error) {
      throw new IssuerUnavailable(
        'The sign-on of your company does not answer as it should; try again in a little while',
        { cause: error },
      );
    }
  }

  return () => {
    const now = performance.now();
    if (known === undefined || now - known.at > DISCOVER_AGAIN_MS) {
      const made = discover();
      known = { at: now, made };
      made.catch(() => {
        known = undefined;
      });
    }
    return known.made;
  };
}

/** What the issuer answered is told by its code alone. */
function refusal(error: unknown): Error {
  const { code, error: answered } = error as { code?: string; error?: string };
  const isAway = code === 'OAUTH_TIMEOUT' || error instanceof TypeError;
  if (isAway) {
    return new IssuerUnavailable(
      'The sign-on of your company does not answer; try again in a little while',
      { cause: error },
    );
  }
  const given = String(answered ?? code ?? 'unknown');
  const reason = /^\w{1,60}$/.test(given) ? given : 'unknown';
  return new SignOnRefused(
    `The sign-on of your company did not confirm who you are (${reason}). Begin again; if it stays so, tell the operator of this service.`,
    reason,
  );
}
