// How soon a server on an existing store answers, and how much memory it holds when idle.
//   node bench/footprint.ts        (Linux: the memory is read from /proc)
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const UNWRITE = join(ROOT, 'packages/server/bin/unwrite.js');
const PORT = 18_084;
const ROUNDS = 5;
const SETTLE_MS = 3000;

const dataDir = mkdtempSync(join(tmpdir(), 'unwrite-footprint-'));
const env = { ...process.env, UNWRITE_DATA_DIR: dataDir, PORT: String(PORT) };

async function untilFirstAnswer(start: number): Promise<number> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/health/live`).catch(() => undefined);
    if (answer?.ok) return performance.now() - start;
    await wait(5);
  }
}

function residentMebibytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function run(command: string, args: string[]): Promise<{ child: ChildProcess; ms: number }> {
  const start = performance.now();
  const child = spawn(command, args, { cwd: ROOT, env, stdio: 'ignore' });
  return { child, ms: await untilFirstAnswer(start) };
}

/** npx dies of SIGTERM and the server follows within a moment; directly, that is the server's own. */
async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  await wait(SETTLE_MS);
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

execFileSync(process.execPath, [UNWRITE, 'client', 'create', '--controller', 'acme'], { env });
const direct: number[] = [];
const throughNpx: number[] = [];
const memory: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const server = await run(process.execPath, [UNWRITE, 'serve']);
  direct.push(server.ms);
  await wait(SETTLE_MS);
  memory.push(residentMebibytes(server.child));
  await stop(server.child);
  const viaNpx = await run('npx', ['unwrite', 'serve']);
  throughNpx.push(viaNpx.ms);
  await stop(viaNpx.child);
}
rmSync(dataDir, { recursive: true, force: true });
console.log(`first answer, directly:    ${(median(direct) / 1000).toFixed(2)} s`);
console.log(`first answer, through npx: ${(median(throughNpx) / 1000).toFixed(2)} s`);
console.log(`idle memory:               ${median(memory).toFixed(0)} MiB`);
