// Errors of the token endpoint. `error` cannot be a string and an object at once: who sent JSON gets
// the contract's shape, who sent a form gets that of RFC 6749 5.2.
import { errorShape } from '@unwrite/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import { type ErrorLog, toApiError } from '../errors.ts';
import { readMediaType } from '../media-type.ts';

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

export function createTokenErrorHandler(log: ErrorLog) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const answer = toApiError(error);
    if (answer.status === 500) log.failed(request.id, error);
    const isForm =
      readMediaType(request.headers['content-type']) === 'application/x-www-form-urlencoded';
    const body = isForm
      ? { error: oauthCodeOf(answer), error_description: answer.message }
      : errorShape(answer.status, answer.message);
    void reply
      .code(answer.status)
      .headers({ 'cache-control': 'no-store', pragma: 'no-cache', ...answer.headers })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  };
}

function oauthCodeOf(answer: ApiError): OAuthErrorCode {
  if (answer instanceof TokenError) return answer.oauthCode;
  return answer.status < 500 ? 'invalid_request' : 'temporarily_unavailable';
}
