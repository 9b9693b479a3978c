// Turns errors of use cases into HTTP answers; other errors are handled as for all routes.
import { errorShape } from '@unwrite/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProvisionProblem } from '../../auth/provision.ts';
import { isToPutBack } from '../../domain/keys/missing-secret.ts';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { InvalidInput, NotFound } from '../../operator/failures.ts';
import { type Happened, Overtaken } from '../../operator/what-happened.ts';
import { ApiError } from '../api-error.ts';
import { createErrorHandler, createSendError, type ErrorLog } from '../errors.ts';

/** The state does not allow it; includes what was done before, if that is known. */
class Conflict extends ApiError {
  readonly happened: Happened | null;

  constructor(message: string, happened: Happened | null) {
    super(409, message);
    this.happened = happened;
  }
}

export function createOperatorErrorHandler(log: ErrorLog, isClosing: () => boolean) {
  const headers = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];
  const handle = createErrorHandler(createSendError({ log, isClosing, headers, bodyOf }));
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void =>
    handle(refusal(error) ?? error, request, reply);
}

function bodyOf(error: ApiError): object {
  const shape = errorShape(error.status, error.message);
  const happened = error instanceof Conflict ? error.happened : null;
  return happened === null ? shape : { ...shape, happened };
}

function refusal(error: unknown): ApiError | undefined {
  if (error instanceof NotFound) return new ApiError(404, error.message);
  if (error instanceof InvalidInput) return new ApiError(400, error.message);
  if (error instanceof Overtaken) return new Conflict(error.message, error.happened);
  if (error instanceof NotPossible) return new Conflict(error.message, null);
  if (error instanceof ProvisionProblem) return provisionRefusal(error);
  // The message says which rows have to be restored, and from which backup.
  if (isToPutBack(error)) return new ApiError(503, error.message);
  return undefined;
}

function provisionRefusal({ kind, message }: ProvisionProblem): ApiError {
  switch (kind) {
    case 'invalid':
      return new ApiError(400, message);
    case 'missing':
      return new ApiError(404, message);
    case 'conflict':
      return new Conflict(message, null);
  }
}
