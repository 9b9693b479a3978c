// One class for each outcome that a caller can meet. Messages and members never hold an identity, a secret or a
// token: what a processor says is left out if it repeats one (withhold.ts), and errors of fetch are not passed on.

export interface ErrorFacts {
  /** Which call failed. */
  readonly operation: Operation;
  readonly subjectRequestId?: string | undefined;
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** `X-Request-Id` of the answer: the processor can find the call by it. */
  readonly requestId?: string | undefined;
  /** What the processor said, without control characters; undefined if it said nothing or repeated an identity. */
  readonly processorMessage?: string | undefined;
  /** How long the processor asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The processor may have carried out the call: no attempt was refused for certain. */
  readonly outcomeUnknown?: boolean;
  /** What failed below HTTP, such as `ECONNREFUSED`. */
  readonly reason?: string | undefined;
}

export type Operation = 'token' | 'discover' | 'submit' | 'status' | 'cancel' | 'receipt' | 'send';

export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'not_found'
  | 'not_pending'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable'
  | 'no_answer'
  | 'unexpected_answer'
  | 'token_refused'
  | 'not_signed'
  | 'ended_otherwise';

/** All errors of the client, except for an abort: then the signal's reason is thrown. */
export abstract class ErasureError extends Error {
  abstract readonly code: ErrorCode;
  declare readonly operation: Operation;
  declare readonly subjectRequestId: string | undefined;
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly processorMessage: string | undefined;
  declare readonly retryAfterMs: number | undefined;
  declare readonly outcomeUnknown: boolean;
  declare readonly reason: string | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message);
    Object.assign(this, { outcomeUnknown: false }, facts);
  }

  /** The same call may succeed later: the processor is away or busy. */
  get isTemporary(): boolean {
    return ['rate_limited', 'unavailable', 'no_answer'].includes(this.code);
  }
}

/** 400, 413, 415 and other refusals of what was sent: sending it again does not help. */
export class InvalidRequestError extends ErasureError {
  override readonly name = 'InvalidRequestError';
  readonly code = 'invalid_request';
}

/** 401 or 403, also with a new token. */
export class UnauthorizedError extends ErasureError {
  override readonly name = 'UnauthorizedError';
  readonly code = 'unauthorized';
}

/** 404: no such request, or no receipt yet. */
export class NotFoundError extends ErasureError {
  override readonly name = 'NotFoundError';
  readonly code = 'not_found';
}

/** 400 on cancel: the request has started, or is final. */
export class NotPendingError extends ErasureError {
  override readonly name = 'NotPendingError';
  readonly code = 'not_pending';
}

/** 409: another request has this id. */
export class ConflictError extends ErasureError {
  override readonly name = 'ConflictError';
  readonly code = 'conflict';
}

/** 429, and the attempts are used up or the processor asks for a longer wait than allowed. */
export class RateLimitedError extends ErasureError {
  override readonly name = 'RateLimitedError';
  readonly code = 'rate_limited';
}

/** 500 or more; after 502, 503 and 504 the attempts are used up. */
export class UnavailableError extends ErasureError {
  override readonly name = 'UnavailableError';
  readonly code = 'unavailable';
}

/** A connection that failed, broke or took too long, and the attempts are used up. */
export class NoAnswerError extends ErasureError {
  override readonly name = 'NoAnswerError';
  readonly code = 'no_answer';
}

/** An answer that OpenDSR does not know: a redirect, another status, not the JSON that was expected, too large. */
export class UnexpectedAnswerError extends ErasureError {
  override readonly name = 'UnexpectedAnswerError';
  readonly code = 'unexpected_answer';
}

/** The token endpoint refused the credentials or the audience. */
export class TokenRefusedError extends ErasureError {
  override readonly name = 'TokenRefusedError';
  readonly code = 'token_refused';
}

/** The answer is not signed as `verify` demands. The processor may have carried out the call. */
export class NotSignedError extends ErasureError {
  override readonly name = 'NotSignedError';
  readonly code = 'not_signed';
}

/** `waitUntil`: the request reached a final state that is not the one that was waited for. */
export class EndedOtherwiseError extends ErasureError {
  override readonly name = 'EndedOtherwiseError';
  readonly code = 'ended_otherwise';
}
