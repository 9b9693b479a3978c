import type { IncomingMessage } from 'node:http';
import { CallFailed } from '../../outbound/call-failed.ts';
import { readBytes } from '../../outbound/read-bytes.ts';

export const MAX_ANSWER_BYTES = 1_048_576;

export async function readBody(response: IncomingMessage, host: string): Promise<Uint8Array> {
  if (response.headers['content-encoding'] !== undefined)
    throw new CallFailed(
      'bad_answer',
      `${host} sent its answer with a Content-Encoding; send it without one`,
    );
  const type = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new CallFailed('bad_answer', `${host} answered 200 without application/json`);
  return readBytes(response, host, MAX_ANSWER_BYTES);
}
