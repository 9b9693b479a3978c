// RFC 8414 metadata and RFC 7517 keys, public.
import type { FastifyInstance } from 'fastify';
import type { SigningKeys } from '../../auth/signing-keys.ts';

const KEYS_MAX_AGE_S = 60;

export function registerOAuthMetadata(
  app: FastifyInstance,
  issuer: string,
  keys: Pick<SigningKeys, 'publicJwks'>,
): void {
  const metadata = {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    service_documentation: `${issuer}/docs`,
  };
  const tags = ['Tokens'];
  const anyObject = { type: 'object', additionalProperties: true };

  app.get(
    '/.well-known/oauth-authorization-server',
    {
      schema: {
        summary: 'Authorization server metadata (RFC 8414)',
        tags,
        security: [],
        response: { 200: anyObject },
      },
    },
    () => metadata,
  );
  app.get(
    '/.well-known/jwks.json',
    {
      schema: {
        summary: 'Public keys of access tokens',
        tags,
        security: [],
        response: { 200: anyObject },
      },
    },
    async (_, reply) =>
      reply
        .header('cache-control', `public, max-age=${KEYS_MAX_AGE_S}`)
        .send({ keys: await keys.publicJwks() }),
  );
}
