// Checks HTTP itself, before route and method: cases that Node would answer without a body, or not at all.
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { AllowedMethods } from './allowed-methods.ts';
import { ApiError } from './api-error.ts';
import { countHeaders, type HeaderFindings } from './raw-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    headerFindings: HeaderFindings;
  }
}

export function createCheckHttp(allowed: AllowedMethods) {
  return (request: FastifyRequest, _: FastifyReply, done: HookHandlerDoneFunction): void => {
    const findings = countHeaders(request.raw);
    request.headerFindings = findings;
    if (findings.hosts !== 1 && !(findings.hosts === 0 && request.raw.httpVersion === '1.0')) {
      done(new ApiError(400, 'Send exactly one Host header'));
    } else if (request.is404) {
      done(notRouted(request, allowed));
    } else done();
  };
}

const OPERATOR_DOCUMENT = '/operator/openapi.json';

export function notFound({ server }: Pick<FastifyRequest, 'server'>): ApiError {
  const isOperators = server.hasRoute({ method: 'GET', url: OPERATOR_DOCUMENT });
  const list = isOperators ? OPERATOR_DOCUMENT : '/openapi.json';
  return new ApiError(404, `There is nothing at this path; ${list} lists what there is`);
}

function notRouted(request: FastifyRequest, allowed: AllowedMethods): ApiError {
  const methods = allowed.of(request.url);
  if (methods === undefined) return notFound(request);
  const list = methods.join(', ');
  return new ApiError(405, `This path accepts only ${list}`, { allow: list });
}
