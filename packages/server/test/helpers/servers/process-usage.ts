// What a process takes, seen from outside (Linux).
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  readonly memoryMiB: number;
  readonly descriptors: number;
}

export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return {
    memoryMiB: Number(kilobytes) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** The most of each while it is watched, looked at ten times a second. */
export function watchUsage(pid: number): () => Usage {
  let [memoryMiB, descriptors] = [0, 0];
  const look = () => {
    const now = usageOf(pid);
    memoryMiB = Math.max(memoryMiB, now.memoryMiB);
    descriptors = Math.max(descriptors, now.descriptors);
  };
  look();
  const timer = setInterval(look, 100);
  return () => {
    clearInterval(timer);
    return { memoryMiB, descriptors };
  };
}
