// ETag, If-None-Match and If-Match.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotPossible } from '../../../domain/task/operator-ports.ts';

/** Answers 304 if the caller already has this version. */
export function tagged<Body extends { readonly etag: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
): Body | FastifyReply {
  reply.header('etag', body.etag);
  const known = request.headers['if-none-match'];
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  if (isGet && known !== undefined && names(known, body.etag)) return reply.code(304).send();
  return body;
}

/** Whether the caller names the state that the decision is based on. */
export function isConditional(request: FastifyRequest): boolean {
  const given = request.headers['if-match'];
  return given !== undefined && given.trim() !== '*';
}

/** Also true if the caller names no state. */
export function matches(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-match'];
  return given === undefined || given.trim() === '*' || names(given, etag);
}

export function requireMatch(request: FastifyRequest, etag: string, what: string): void {
  if (matches(request, etag)) return;
  throw new NotPossible(`${what} has changed since you read it; read it again, then decide`);
}

function names(header: string, etag: string): boolean {
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
