// The channel between Unwrite and the process of a module: each frame is a length and that many bytes. Node's own
// channel between processes reads messages of any size into memory.
import type { Duplex } from 'node:stream';
import type { ModuleAnswer } from './module-messages.ts';

/** The file descriptor of the channel in the module's process. */
export const CHANNEL_FD = 3;
/** Maximum size of an answer, which the server reads into memory. Far more than any batch needs. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const LENGTH_BYTES = 4;

export function writeFrame(channel: Duplex, bytes: Uint8Array): void {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  channel.write(length);
  channel.write(bytes);
}

/** `tooLarge` is called as soon as a frame announces more; nothing is read after that. */
export function readFrames(
  channel: Duplex,
  maxBytes: number,
  take: (bytes: Buffer) => void,
  tooLarge: () => void,
): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let isOver = false;

  /** Undefined until that many bytes have arrived. */
  function shift(count: number): Buffer | undefined {
    if (size < count) return undefined;
    const all = Buffer.concat(chunks);
    chunks = [all.subarray(count)];
    size -= count;
    return all.subarray(0, count);
  }

  let expected: number | undefined;
  channel.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    while (!isOver) {
      expected ??= shift(LENGTH_BYTES)?.readUInt32BE();
      if (expected === undefined) return;
      if (expected > maxBytes) {
        isOver = true;
        channel.destroy();
        tooLarge();
        return;
      }
      const bytes = shift(expected);
      if (bytes === undefined) return;
      expected = undefined;
      take(bytes);
    }
  });
}

/** Text with the id in its own line, because the module may have changed how its process writes objects. */
export function writeAnswer(answer: ModuleAnswer): Buffer {
  if ('fault' in answer) return Buffer.from(`${answer.id}\nfault\n${JSON.stringify(answer.fault)}`);
  return Buffer.from(
    `${answer.id}\n${answer.json === undefined ? 'none' : 'json'}\n${answer.json}`,
  );
}

export interface ReceivedAnswer {
  readonly id: string;
  readonly isFault: boolean;
  /** Undefined if there is none, or if it is not JSON. */
  readonly value: unknown;
}

export function readAnswer(bytes: Buffer): ReceivedAnswer {
  const text = bytes.toString();
  const [id = '', kind] = text.slice(0, 100).split('\n');
  const rest = () => text.slice(id.length + 1 + (kind?.length ?? 0) + 1);
  const isFault = kind === 'fault';
  return { id, isFault, value: isFault || kind === 'json' ? parse(rest()) : undefined };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
