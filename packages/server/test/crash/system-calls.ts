// What the server asked of the kernel, in order, as strace wrote it down.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The whole of a page of the WAL, or of an answer, is in the trace: both name the request's id. */
export const STRACE = [
  'strace',
  // The server stays the child of whoever started this; the tracer is its grandchild.
  '-D',
  '-f',
  // Paths and kinds of file descriptors.
  '-y',
  '-s',
  '8192',
  '-e',
  'trace=pwrite64,pwritev,write,writev,sendto,sendmsg,fdatasync,fsync',
  '-e',
  'signal=none',
];

export function canTrace(): boolean {
  return spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
}

/** The tracer goes on writing for a moment after the server has ended. */
export async function readTrace(path: string, pid: number): Promise<string[]> {
  const end = new RegExp(`^${pid} +\\+\\+\\+ (exited|killed)`, 'm');
  for (;;) {
    const trace = existsSync(path) ? readFileSync(path, 'latin1') : '';
    if (end.test(trace)) return trace.split('\n');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** What must be synced before an answer: where, and which answer. */
interface Promised {
  readonly file: string;
  readonly status: number;
}
export const CREATED: Promised = { file: 'unwrite\\.db-wal', status: 201 };
export const CANCELLED: Promised = { file: 'cancelled-[^>]*\\.jsonl', status: 202 };
const SOCKET_WRITE = /^\d+ +(write|writev|sendto|sendmsg)\(\d+<(TCP|socket)[^>]*>/;
const SYNC_RESUMED = /^(\d+) +<\.\.\. (fdatasync|fsync) resumed>.*= 0$/;

export interface Durability {
  /** Where in the trace the request was first written to the file. */
  readonly inserted: number;
  /** Where the first sync that began after that ended, by the kernel's word. */
  readonly synced: number;
  /** Where its answer was handed to the kernel. */
  readonly answered: number;
}

export function durabilityOf(
  trace: readonly string[],
  subjectRequestId: string,
  { file, status }: Promised,
): Durability {
  const write = new RegExp(`^\\d+ +(pwrite64|pwritev|write|writev)\\(\\d+<[^>]*${file}>`);
  const sync = new RegExp(`^\\d+ +(fdatasync|fsync)\\(\\d+<[^>]*${file}>`);
  const inserted = trace.findIndex((line) => write.test(line) && line.includes(subjectRequestId));
  const answered = trace.findIndex(
    (line) =>
      SOCKET_WRITE.test(line) &&
      line.includes(`HTTP/1.1 ${status}`) &&
      line.includes(subjectRequestId),
  );
  return { inserted, synced: inserted < 0 ? -1 : syncAfter(trace, inserted, sync), answered };
}

function syncAfter(trace: readonly string[], inserted: number, sync: RegExp): number {
  const begun = trace.findIndex((line, at) => at > inserted && sync.test(line));
  if (begun < 0) return -1;
  const line = trace[begun] ?? '';
  if (/= 0$/.test(line)) return begun;
  const thread = /^\d+/.exec(line)?.[0];
  return trace.findIndex((later, at) => at > begun && SYNC_RESUMED.exec(later)?.[1] === thread);
}
