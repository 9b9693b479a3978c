// The one place that turns errors into answers in the contract's shape.
import type { ServerResponse } from 'node:http';
import { errorShape, StrictJsonError } from '@unwrite/protocol';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Forbidden, IssuerUnavailable, Unauthenticated } from '../auth/principal.ts';
import { isToPutBack } from '../domain/keys/missing-secret.ts';
import { StoreUnavailable } from '../domain/store/store-unavailable.ts';
import { ApiError } from './api-error.ts';
import { asciiJson, writeJson } from './write-json.ts';

export interface ErrorLog {
  failed(requestId: string, error: unknown): void;
  unavailable(requestId: string, error: Error): void;
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StrictJsonError) return new ApiError(400, error.message);
  if (error instanceof Unauthenticated) return unauthenticated(error);
  if (error instanceof Forbidden) return new ApiError(403, error.message);
  if (error instanceof IssuerUnavailable) {
    return new ApiError(503, error.message, { 'retry-after': '10' });
  }
  if (isToPutBack(error)) {
    return new ApiError(
      503,
      'A key that is needed for this is missing; the operator has been notified',
      {
        'retry-after': '60',
      },
    );
  }
  if (error instanceof StoreUnavailable || isStoreError(error)) {
    return new ApiError(
      503,
      'The store cannot answer now, and nothing was acknowledged; send the same request again later',
      { 'retry-after': '2' },
    );
  }
  return fromFramework(error as Partial<FastifyError>);
}

/** Errors of SQLite itself, from the few reads that do not go through one of our ports. */
function isStoreError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ERR_SQLITE_ERROR' || code === 'ERR_INVALID_STATE';
}

function unauthenticated({ message, tokenSent }: Unauthenticated): ApiError {
  const challenge = tokenSent ? 'Bearer error="invalid_token"' : 'Bearer';
  return new ApiError(401, message, { 'www-authenticate': challenge });
}

function fromFramework({ code, statusCode }: Partial<FastifyError>): ApiError {
  switch (code) {
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new ApiError(404, 'There is nothing at this path; /openapi.json lists what there is');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return new ApiError(400, 'The body ended before its Content-Length');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError(statusCode, 'The request is not valid');
  }
  return new ApiError(
    500,
    'The service failed to handle this request; its operator has been notified',
  );
}

/** One writer for all errors, so that an error has the same bytes on every path through the server. */
export type SendError = (raw: ServerResponse, requestId: string, error: unknown) => void;

export interface SendErrorOptions {
  readonly log: ErrorLog;
  readonly isClosing: () => boolean;
  readonly bodyOf?: (error: ApiError) => object;
  /** Headers of every error; names and values alternate. */
  readonly headers?: readonly string[];
}

export function createSendError(options: SendErrorOptions): SendError {
  const { log, isClosing, bodyOf = contractShape, headers: always = [] } = options;
  return (raw, requestId, error) => {
    const answer = toApiError(error);
    if (answer.status === 500) log.failed(requestId, error);
    else if (answer.status === 503 && error instanceof Error) log.unavailable(requestId, error);
    // The response has begun, or the caller has disconnected: no error can be sent.
    if (raw.headersSent || raw.destroyed) return;
    if (isClosing()) raw.shouldKeepAlive = false;
    const headers = [...always, ...Object.entries(answer.headers).flat()];
    writeJson(raw, answer.status, requestId, asciiJson(bodyOf(answer)), headers);
  };
}

function contractShape({ status, message }: ApiError): object {
  return errorShape(status, message);
}

export function createErrorHandler(sendError: SendError) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack();
    sendError(reply.raw, request.id, error);
  };
}
