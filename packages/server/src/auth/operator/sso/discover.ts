// What the issuer says about itself: where it is asked, and which keys it signs with.
import type { Configuration } from 'openid-client';
import type { Clock } from '../../../domain/clock.ts';
import { IssuerUnavailable } from '../../principal.ts';

const TIMEOUT_S = 10;
/** Endpoints and keys move. People sign on seldom: asking again costs little, and an old answer locks everybody out. */
const DISCOVER_AGAIN_MS = 60_000;

export interface ClientAtIssuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly clientAuthentication: 'basic' | 'post';
}

export interface IssuerConfiguration {
  /** Fetched when somebody signs on. Where that fails, what was known before is tried. */
  get(): Promise<Configuration>;
  /** A sign-on failed: it may be that what is known is not true any more. */
  doubt(): void;
}

export function createIssuerConfiguration(
  config: ClientAtIssuer,
  clock: Clock,
): IssuerConfiguration {
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
    // The settings allow http only on loopback.
    const isPlain = issuer.protocol === 'http:';
    try {
      return await oidc.discovery(
        issuer,
        config.clientId,
        // By the clock that all nodes share, as everything else: this machine's may be wrong.
        {
          [oidc.clockSkew]: Math.round((clock() - Date.now()) / 1000),
          [oidc.clockTolerance]: 30,
        },
        authentication,
        {
          timeout: TIMEOUT_S,
          // Also verify the signature of the ID token, not only the connection that it came by.
          execute: [
            oidc.enableNonRepudiationChecks,
            ...(isPlain ? [oidc.allowInsecureRequests] : []),
          ],
        },
      );
    } catch (error) {
      throw new IssuerUnavailable(
        'The sign-on of your company gave an unexpected answer; try again later',
        { cause: error },
      );
    }
  }

  return {
    get() {
      const now = performance.now();
      if (known === undefined || now - known.at > DISCOVER_AGAIN_MS) {
        const before = known?.made;
        const made = discover().catch((error: unknown) => {
          if (before === undefined) known = undefined;
          return before ?? Promise.reject(error);
        });
        known = { at: now, made };
      }
      return known.made;
    },
    doubt() {
      if (known !== undefined) known = { ...known, at: Number.NEGATIVE_INFINITY };
    },
  };
}
