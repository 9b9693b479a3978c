// /openapi.json from the schemas that validate, and /docs to read and try it, offline.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { registerDocsAssets } from './docs-assets.ts';
import { DOCS_MARK, DOCS_STYLE, docsScript } from './docs-look.ts';

/** Only our own assets, also over plain HTTP: the default would make browsers use https. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Duplicates of the endpoints, and paths for operators. */
const HIDDEN = /^\/(?:v2|operator|console)\b/;

export interface ApiDocsOptions {
  readonly publicUrl: string;
  readonly version: string;
  /** False if the console is on another port. */
  readonly hasConsole: boolean;
}

export async function registerApiDocs(
  app: FastifyInstance,
  { publicUrl, version, hasConsole }: ApiDocsOptions,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Unwrite: erasure processor API',
        description:
          'A profile of OpenDSR 2.0: submit, query and cancel erasure requests. The four OpenDSR endpoints also answer under /v2. Errors have one shape: {"error": {"code", "message"}}; every answer has an X-Request-Id.',
        version,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          oauth2: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: `${publicUrl}/oauth/token`, scopes: {} } },
          },
        },
      },
      tags: [
        { name: 'OpenDSR', description: 'The four endpoints of the contract' },
        { name: 'Receipts', description: 'An extension of Unwrite: what was erased, signed' },
        {
          name: 'Audit',
          description: 'An extension of Unwrite: heads of the audit log, and proofs',
        },
        { name: 'Tokens', description: 'OAuth 2.0 client credentials' },
      ],
    },
    transform: ({ schema, url }) => ({
      schema: schema && HIDDEN.test(url) ? { ...schema, hide: true } : schema,
      url,
    }),
  });
  let document: Buffer | undefined;
  /** Serialised once, so that all waiting answers share the same bytes. */
  const openapi = () => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return document;
  };
  const type = 'application/json; charset=utf-8';
  registerDocsAssets(app, '/docs/static', POLICY);
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', displayRequestDuration: true, validatorUrl: null },
    uiHooks: {
      onRequest(request, reply, done) {
        if (request.routeOptions.url === '/docs/json') void reply.type(type).send(openapi());
        else done();
      },
    },
    staticCSP: POLICY,
    theme: {
      title: 'Unwrite API',
      css: [{ filename: 'unwrite.css', content: DOCS_STYLE }],
      js: [{ filename: 'unwrite.js', content: docsScript(hasConsole) }],
      favicon: [
        {
          filename: 'unwrite.svg',
          rel: 'icon',
          sizes: 'any',
          type: 'image/svg+xml',
          content: DOCS_MARK,
        },
      ],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, (_, reply) =>
    reply.type(type).send(openapi()),
  );
}
