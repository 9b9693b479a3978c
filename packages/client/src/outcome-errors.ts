// Which error an answer of the four endpoints is.
import type { RawAnswer } from './answer.ts';
import { readObject } from './answer.ts';
import {
  ConflictError,
  type ErasureError,
  type ErrorFacts,
  InvalidRequestError,
  NotFoundError,
  NotPendingError,
  type Operation,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts';
import { retryAfter } from './retry.ts';
import { withholdRepeated } from './withhold.ts';

export interface Context {
  readonly operation: Operation;
  readonly subjectRequestId?: string | undefined;
  /** What must not be in a message. */
  readonly secrets: readonly string[];
  readonly wasUnclear: boolean;
  readonly now: number;
}

export function errorOf(answer: RawAnswer, context: Context): ErasureError {
  const { operation, subjectRequestId, secrets, wasUnclear, now } = context;
  const { status, requestId } = answer;
  const error = readObject(answer.bytes)?.error as { message?: unknown } | null | undefined;
  const processorMessage = withholdRepeated(error?.message, secrets);
  const said = processorMessage === undefined ? '' : `: ${processorMessage}`;
  const outcomeUnknown = wasUnclear || status >= 500;
  const facts: ErrorFacts = {
    operation,
    subjectRequestId,
    status,
    requestId,
    processorMessage,
    retryAfterMs: retryAfter(answer, now),
    outcomeUnknown,
  };
  switch (status) {
    case 400:
      return operation === 'cancel'
        ? new NotPendingError(`the request cannot be cancelled any more${said}`, facts)
        : new InvalidRequestError(`the processor refused what was sent (400)${said}`, facts);
    case 401:
    case 403:
      return new UnauthorizedError(
        `the processor refused the token (${status})${said}; check the credentials and the audience`,
        facts,
      );
    case 404:
      return new NotFoundError(
        `the processor answers 404${said}${operation === 'submit' || operation === 'discover' ? '; check baseUrl' : ''}`,
        facts,
      );
    case 409:
      return new ConflictError(
        `another request has this subject_request_id (409)${said}; use a new one for each request`,
        facts,
      );
    case 429:
      return new RateLimitedError(`the processor answers 429${said}; send less, or later`, facts);
  }
  if (status >= 500) {
    return new UnavailableError(
      `the processor answers ${status}${said}; send the same request again later`,
      facts,
    );
  }
  if (status >= 400) {
    return new InvalidRequestError(`the processor refused what was sent (${status})${said}`, facts);
  }
  // A browser hides where a redirect leads, and its status: it is 0.
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  return isRedirect
    ? new UnexpectedAnswerError(
        'the processor redirects, and redirects are not followed: use the address that it redirects to as baseUrl',
        facts,
      )
    : new UnexpectedAnswerError(`the processor answers ${status}${said}`, facts);
}
