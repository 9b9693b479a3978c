// The rival for token requests: oidc-provider, client credentials, JWT access tokens signed with ES256.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const port = Number(process.env.PORT);
const issuer = `http://127.0.0.1:${port}`;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = { ...privateKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'ES256' };

const resource = {
  scope: 'erase',
  audience: 'urn:bench',
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256' } },
};

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'bench',
      client_secret: 'a-secret-of-some-length-for-the-benchmark',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [key] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'urn:bench',
      getResourceServerInfo: () => resource,
    },
  },
});

createServer(provider.callback()).listen(port, '127.0.0.1');
