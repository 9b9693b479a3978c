import type { IncomingMessage } from 'node:http';
import { CallFailed } from './call-failed.ts';

/** The body of an answer that may have so many bytes. */
export async function readBytes(
  response: IncomingMessage,
  host: string,
  max: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > max)
      throw new CallFailed(
        'answer_too_large',
        `${host} answered with more than ${max} bytes; answer only what is documented`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
