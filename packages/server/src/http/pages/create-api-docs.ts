// What api-docs.ts answers with, made with the first call: the framework's plugins, on an app of their own that has the
// schemas of all routes and serves nothing else.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { DOCS_MARK, DOCS_STYLE, docsScript } from './docs-look.ts';

/** Duplicates of the endpoints, and paths for operators. */
const HIDDEN = /^\/(?:v2|operator|console)\b/;

export interface ApiDocsOptions {
  readonly publicUrl: string;
  readonly version: string;
  /** False if the console is on another port. */
  readonly hasConsole: boolean;
  /** The Content-Security-Policy of its pages. */
  readonly policy: string;
}

export interface ApiDocs {
  readonly app: FastifyInstance;
  /** Serialised once, so that all waiting answers share the same bytes. */
  readonly document: Buffer;
}

export async function createApiDocs(
  routes: readonly RouteOptions[],
  { publicUrl, version, hasConsole, policy }: ApiDocsOptions,
): Promise<ApiDocs> {
  const app = fastify({ exposeHeadRoutes: false, routerOptions: { ignoreTrailingSlash: true } });
  // Nothing is validated here, and no answer of these routes serialised.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
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
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', displayRequestDuration: true, validatorUrl: null },
    staticCSP: policy,
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
  for (const { method, url, schema } of routes)
    if (method !== 'HEAD')
      app.route({ method, url, schema: schema ?? {}, handler: () => undefined });
  await app.ready();
  return { app, document: Buffer.from(JSON.stringify(app.swagger())) };
}
