// The HTTP server: Fastify, with all defaults replaced that would break the error shape.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { errorShape } from '@unwrite/protocol';
import fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  type RawServerDefault,
} from 'fastify';
import { createAllowedMethods } from './allowed-methods.ts';
import { createCheckHttp, notFound } from './check-http.ts';
import { answerClientError } from './client-error.ts';
import { createErrorHandler, type SendError } from './errors.ts';
import type { TlsPair } from './tls.ts';
import { validatorCompiler } from './validate-body.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 72_000;
const IDLE_SWEEP_MS = 50;
/** Time for requests in progress when the server stops. */
const CLOSE_GRACE_MS = 5000;

/**
 * Instead of the framework's own, which would be loaded, and would compile a function for each answer of each route: a
 * sixth of the time to start, for answers that are rare or that we write ourselves. Its types only know its own.
 */
const COMPILERS = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => () => (value: unknown) => JSON.stringify(value),
} as unknown as NonNullable<FastifyServerOptions['schemaController']>['compilersFactory'] & object;

export interface HttpServerOptions {
  readonly trustProxy: false | number | string[];
  readonly sendError: SendError;
  readonly makeRequestId: (request: IncomingMessage) => string;
  /** While true, answers ask for the connection to be closed. */
  readonly isClosing: () => boolean;
  /** Set if the server uses TLS itself. */
  readonly tls: TlsPair | undefined;
}

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const allowed = createAllowedMethods();
  const handleError = createErrorHandler(options.sendError);

  const app = fastify<RawServerDefault>({
    logger: false,
    schemaController: { compilersFactory: COMPILERS },
    trustProxy: trustProxyOption(options.trustProxy),
    genReqId: options.makeRequestId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    ...listenerOptions(options.tls),
    // A request line may hold the whole address (RFC 9112 3.2.2).
    rewriteUrl: (request) => pathOf(request.url ?? '/'),
    clientErrorHandler: answerClientError,
    frameworkErrors: handleError,
  });

  // On Node 24 headers beyond a count are dropped silently: a second Authorization could hide there. Their size
  // is limited in any case.
  app.server.maxHeadersCount = 0;
  app.server.on('checkExpectation', answerExpectation);

  app.removeAllContentTypeParsers();
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  app.setErrorHandler(handleError);
  // Reached from plugins that look for a missing file under a known pattern; checkHttp answers all other cases.
  app.setNotFoundHandler((request, reply) => handleError(notFound(request), request, reply));
  app.decorateRequest('headerFindings');
  app.decorateRequest('principal');
  app.decorateRequest('rawBody');
  app.decorateRequest('takenBytes', 0);
  app.addHook('onRoute', ({ url, method }) => allowed.add(url, method));
  app.addHook('onRequest', createCheckHttp(allowed));
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id);
    if (options.isClosing()) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    // A server that only answers calls of another server has no connections of its own.
    if (app.server.listening) letGoOfConnections(app.server);
    done();
  });
  return app;
}

/**
 * Node closes idle connections once, when it stops listening, and no longer times out slow ones. A connection whose
 * last request began before that, or a silent one, would keep the process alive.
 */
function letGoOfConnections(server: Server): void {
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const end = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  server.once('close', () => {
    clearInterval(sweep);
    clearTimeout(end);
  });
}

/** The framework's types only know servers without TLS; the difference does not matter here. */
function listenerOptions(tls: TlsPair | undefined): { http: ServerOptions } {
  const http: ServerOptions = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: 2000,
    // Checked by us, in the error shape: Node's own answer has no body.
    requireHostHeader: false,
  };
  if (tls === undefined) return { http };
  const https = { ...http, ...tls, handshakeTimeout: HEADERS_TIMEOUT_MS };
  return { https } as unknown as { http: ServerOptions };
}

function trustProxyOption(trust: HttpServerOptions['trustProxy']) {
  return typeof trust === 'number' ? (_: string, hop: number) => hop < trust : trust;
}

function pathOf(url: string): string {
  if (url.charCodeAt(0) === 0x2f) return url;
  return /^https?:\/\/[^/]*(\/.*)$/i.exec(url)?.[1] ?? url;
}

function answerExpectation(_: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(errorShape(417, 'Only the expectation 100-continue is supported'));
  response.writeHead(417, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    connection: 'close',
  });
  response.end(body);
}
