// GET /console and everything below it: the console's page for every path, and its assets.
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packageFile } from '../../files/own-files.ts';
import { ApiError } from '../api-error.ts';
import { type BuiltFiles, openBuiltFiles } from './built-files.ts';

const FOLDER = fileURLToPath(packageFile('console/'));
const NONCE = '{{nonce}}';
/** An asset's name changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable';
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

export function registerConsole(app: FastifyInstance, folder = FOLDER): void {
  const files = openBuiltFiles(folder);
  const hidden = { schema: { hide: true } };
  const answerPage = (_: FastifyRequest, reply: FastifyReply) => sendPage(files, reply);
  app.get('/console', hidden, answerPage);
  // The console has paths of its own that the server does not know.
  app.get('/console/*', hidden, answerPage);
  app.get<{ Params: { name: string } }>('/console/assets/:name', hidden, (request, reply) =>
    sendAsset(files, request.params.name, request.headers['accept-encoding'] ?? '', reply),
  );
}

async function sendPage(files: BuiltFiles, reply: FastifyReply): Promise<FastifyReply> {
  const page = await files.page();
  if (page === undefined) {
    throw new ApiError(404, 'The console is not built here: run "node scripts/build-console.mjs"');
  }
  const nonce = randomBytes(16).toString('base64');
  return reply
    .type('text/html; charset=utf-8')
    .headers(HEADERS)
    .header('cache-control', 'no-store')
    .header('x-frame-options', 'DENY')
    .header('content-security-policy', policy(nonce))
    .send(page.replace(NONCE, nonce));
}

/** The nonce is for the style that keeps a page from scrolling behind a dialog: its text is not known in advance. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // No text may become markup or a script.
    "require-trusted-types-for 'script'",
  ].join('; ');
}

async function sendAsset(
  files: BuiltFiles,
  name: string,
  acceptEncoding: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asset = await files.asset(name, acceptEncoding);
  if (asset === undefined) throw new ApiError(404, 'The console has no file of this name');
  if (asset.encoding !== undefined) void reply.header('content-encoding', asset.encoding);
  return reply
    .type(asset.type)
    .headers(HEADERS)
    .header('cache-control', FOREVER)
    .header('vary', 'accept-encoding')
    .send(asset.content);
}
