import { readFileSync } from 'node:fs';

/** Descriptors for files of the store, its connections, threads and targets. */
const OTHERS = 256;

/** As many connections as the system lets this process open; known on Linux only. */
export function affordableConnections(wanted: number): number {
  const soft = /^Max open files +(\d+) /m.exec(readLimits())?.[1];
  if (soft === undefined) return wanted;
  return Math.max(10, Math.min(wanted, Number(soft) - OTHERS));
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
