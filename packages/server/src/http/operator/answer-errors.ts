// What use cases refuse, as HTTP says it; all else is answered as everywhere.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { InvalidInput, NotFound } from '../../operator/failures.ts';
import { ApiError } from '../api-error.ts';
import { createErrorHandler, createSendError, type ErrorLog } from '../errors.ts';

export function createOperatorErrorHandler(log: ErrorLog, isClosing: () => boolean) {
  const headers = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];
  const handle = createErrorHandler(createSendError({ log, isClosing, headers }));
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void =>
    handle(refusal(error) ?? error, request, reply);
}

function refusal(error: unknown): ApiError | undefined {
  if (error instanceof NotFound) return new ApiError(404, error.message);
  if (error instanceof InvalidInput) return new ApiError(400, error.message);
  if (error instanceof NotPossible) return new ApiError(409, error.message);
  return undefined;
}
