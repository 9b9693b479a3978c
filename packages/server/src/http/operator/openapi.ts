// The OpenAPI document of the operator API, separate from the one for controllers.
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    operatorDocument(): object;
  }
}

export async function registerOperatorDocument(
  scope: FastifyInstance,
  operatorUrl: string,
  version: string,
): Promise<void> {
  // The type of this option only allows the default name.
  const decorator = 'operatorDocument' as 'swagger';
  await scope.register(swagger, {
    decorator,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Unwrite: operator API',
        description:
          'What an operator can see and do, for the console and for scripts. Errors have one shape: {"error": {"code", "message"}}; every answer has an X-Request-Id. With the session cookie, every call that changes something needs the header X-Unwrite-CSRF.',
        version,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: operatorUrl }],
      components: {
        securitySchemes: {
          client: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: '__Host-unwrite_session' },
        },
      },
      security: [{ client: [] }, { session: [] }],
    },
  });
  let document: Buffer | undefined;
  scope.get(
    '/operator/openapi.json',
    { config: { role: 'anyone' }, schema: { hide: true } },
    (_, reply) => {
      document ??= Buffer.from(JSON.stringify(scope.operatorDocument()));
      return reply.type('application/json; charset=utf-8').send(document);
    },
  );
}
