// /openapi.json from the schemas that validate, and /docs to read and try it, offline. What makes them is loaded with the
// first call: it holds 4 MB, and most servers never need it.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { ApiDocs, ApiDocsOptions } from './create-api-docs.ts';
import { registerDocsAssets } from './docs-assets.ts';

/** Only our own assets, also over plain HTTP: the default would make browsers use https. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

const JSON_TYPE = 'application/json; charset=utf-8';
const HIDDEN = { schema: { hide: true } };

/** Call before the routes that are to be described. */
export function registerApiDocs(
  app: FastifyInstance,
  options: Omit<ApiDocsOptions, 'policy'>,
): void {
  const routes: RouteOptions[] = [];
  let loading: Promise<ApiDocs> | undefined;
  const load = () => {
    loading ??= import('./create-api-docs.ts').then(({ createApiDocs }) =>
      createApiDocs(routes, { ...options, policy: POLICY }),
    );
    return loading;
  };
  const sendDocument = async (_: FastifyRequest, reply: FastifyReply) =>
    reply
      .type(JSON_TYPE)
      .header('content-security-policy', POLICY)
      .send((await load()).document);
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) =>
    sendFrom(await load(), request, reply);

  registerDocsAssets(app, '/docs/static', POLICY);
  app.get('/openapi.json', HIDDEN, sendDocument);
  app.get('/docs/json', HIDDEN, sendDocument);
  app.get('/docs', HIDDEN, sendPage);
  app.get('/docs/*', HIDDEN, sendPage);
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
}

async function sendFrom(docs: ApiDocs, request: FastifyRequest, reply: FastifyReply) {
  const { statusCode, headers, rawPayload } = await docs.app.inject(request.url);
  if (statusCode === 404) return reply.callNotFound();
  const { date: _, connection: __, 'content-length': ___, ...ours } = headers;
  return reply.code(statusCode).headers(ours).send(rawPayload);
}
