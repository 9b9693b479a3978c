// Content types, compared exactly: a body that is not certainly JSON in UTF-8 is not read.
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ApiError } from './api-error.ts';

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded';

const PATTERN =
  /^(application\/json|application\/x-www-form-urlencoded)[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*(?:utf-8|"utf-8")[ \t]*)?;?$/i;

export function readMediaType(header: string | undefined): MediaType | undefined {
  if (header === 'application/json') return header;
  const match = PATTERN.exec(header ?? '');
  return match === null ? undefined : (match[1]?.toLowerCase() as MediaType);
}

export function createRequireMediaType(accepted: readonly MediaType[]) {
  const expected = `Send Content-Type: ${accepted.join(' or ')}, in UTF-8 and without Content-Encoding`;

  return (request: FastifyRequest, _: FastifyReply, done: HookHandlerDoneFunction): void => {
    const { headers, headerFindings } = request;
    const type = readMediaType(headers['content-type']);
    const plain = headers['content-encoding'] === undefined;
    if (
      type !== undefined &&
      accepted.includes(type) &&
      headerFindings.contentTypes === 1 &&
      plain
    ) {
      done();
    } else done(new ApiError(415, expected));
  };
}
