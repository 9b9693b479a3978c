// The issuer's metadata: its endpoints and its signing keys.
import type { Configuration } from 'openid-client';
import type { Clock } from '../../../domain/clock.ts';
import { IssuerUnavailable } from '../../principal.ts';

const TIMEOUT_S = 10;
/** Endpoints and keys change. People sign on rarely, so asking again is cheap; an old answer locks everyone out. */
const DISCOVER_AGAIN_MS = 60_000;

export interface ClientAtIssuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly clientAuthentication: 'basic' | 'post';
}

export interface IssuerConfiguration {
  /** Fetched when a person signs on. If that fails, the previous answer is tried. */
  get(): Promise<Configuration>;
  /** Called when a sign-on failed: the known metadata may be out of date. */
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
        // Uses the clock that all nodes share, because this machine's may be wrong.
        {
          [oidc.clockSkew]: Math.round((clock() - Date.now()) / 1000),
          [oidc.clockTolerance]: 30,
        },
        authentication,
        {
          timeout: TIMEOUT_S,
          // Also verify the signature of the ID token, not only the connection that it came over.
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
