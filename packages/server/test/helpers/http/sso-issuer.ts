// A hand-made OIDC issuer for what a real provider will not do: odd claims, keys that change, absence.
import { createServer } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { freePort } from '../free-port.ts';

export const AUDIENCE = 'https://erase.processor.example';

/** A header that this issuer can mark as one that must be understood. */
export const EXTENSION = 'x-extension';

export interface TokenChanges {
  /** undefined leaves a claim out. */
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
}

export interface TestIssuer {
  readonly url: string;
  /** The paths that it was asked for, in order. */
  readonly asked: string[];
  /** An admin's token for the organisation `acme`, but for the changes. */
  token(changes?: TokenChanges): Promise<string>;
  /** From now on another key signs, and it alone is published. */
  rotate(alg?: string): Promise<void>;
  /** What it publishes; a test may put anything here. */
  publish(documents: { metadata?: object; keys?: unknown }): void;
  /** Answers from now on only once this is called again with nothing. */
  holdAnswers(until?: Promise<void>): void;
  away(): Promise<void>;
  back(): Promise<void>;
}

export async function startIssuer(): Promise<TestIssuer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const asked: string[] = [];
  let metadata: object = { issuer: url, jwks_uri: `${url}/jwks` };
  let published: unknown = [];
  let hold: Promise<void> | undefined;
  let signing: { key: CryptoKey; jwk: JWK };
  let keyNumber = 0;

  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    await hold;
    const isMetadata = request.url === '/.well-known/openid-configuration';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isMetadata ? metadata : { keys: published }));
  });

  async function rotate(alg = 'ES256'): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    const jwk = { ...(await exportJWK(publicKey)), kid: `key-${++keyNumber}`, alg, use: 'sig' };
    signing = { key: privateKey, jwk };
    published = [jwk];
  }
  function back(): Promise<void> {
    return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  }

  await rotate();
  await back();
  return {
    url,
    asked,
    token({ claims = {}, header = {} } = {}) {
      const { alg = 'ES256', kid } = signing.jwk;
      const now = Math.floor(Date.now() / 1000);
      const standard = { iss: url, aud: AUDIENCE, sub: 'jane', iat: now, exp: now + 600 };
      return new SignJWT({ ...standard, roles: ['admin'], org_id: 'acme', ...claims })
        .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header } as { alg: string })
        .sign(signing.key, { crit: { [EXTENSION]: true } });
    },
    rotate,
    publish(documents) {
      metadata = documents.metadata ?? metadata;
      published = documents.keys ?? published;
    },
    holdAnswers(until) {
      hold = until;
    },
    async away() {
      if (!server.listening) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    back,
  };
}

/** Settings for startService: the issuer speaks for `acme`, but for the changes. */
export function trusting(...issuers: ({ url: string } | [{ url: string }, object])[]): {
  sso: object;
} {
  return {
    sso: {
      issuers: issuers.map((item) => {
        const [{ url }, changes] = Array.isArray(item) ? item : [item, {}];
        return { issuer: url, audience: AUDIENCE, controllers: ['acme'], ...changes };
      }),
    },
  };
}
