import type { IncomingMessage } from 'node:http';
import { CallFailed } from '../../outbound/call-failed.ts';

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
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw new CallFailed(
        'answer_too_large',
        `${host} answered with more than ${MAX_ANSWER_BYTES} bytes; answer only what is documented`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
