// Errors of the token endpoint. `error` cannot be a string and an object at once: a caller that sent JSON gets
// the contract's shape, a caller that sent a form gets that of RFC 6749 5.2.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import { createErrorHandler, createSendError, type ErrorLog } from '../errors.ts';

/** RFC 6749 5.1: for success and errors alike. */
export const NOT_TO_BE_STORED = ['Cache-Control', 'no-store', 'Pragma', 'no-cache'];

/** A form with any charset. */
const FORM = /^\s*application\/x-www-form-urlencoded\b/i;

type OAuthErrorCode =
  | 'invalid_request'
  | 'unsupported_grant_type'
  | 'invalid_client'
  | 'invalid_target'
  | 'temporarily_unavailable';

export class TokenError extends ApiError {
  readonly oauthCode: OAuthErrorCode;

  constructor(
    status: number,
    oauthCode: OAuthErrorCode,
    message: string,
    headers: Record<string, string> = {},
  ) {
    super(status, message, headers);
    this.oauthCode = oauthCode;
  }
}

export function createTokenErrorHandler(log: ErrorLog, isClosing: () => boolean) {
  const shared = { log, isClosing, headers: NOT_TO_BE_STORED };
  const handleJson = createErrorHandler(createSendError(shared));
  const handleForm = createErrorHandler(createSendError({ ...shared, bodyOf: oauthShape }));

  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const isForm = FORM.test(request.headers['content-type'] ?? '');
    const handle = isForm ? handleForm : handleJson;
    handle(error, request, reply);
  };
}

function oauthShape(answer: ApiError): object {
  return { error: oauthCodeOf(answer), error_description: answer.message };
}

function oauthCodeOf(answer: ApiError): OAuthErrorCode {
  if (answer instanceof TokenError) return answer.oauthCode;
  return answer.status < 500 ? 'invalid_request' : 'temporarily_unavailable';
}
