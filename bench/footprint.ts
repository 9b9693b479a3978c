// How soon a server on an existing store answers, and how much memory it holds when idle.
//   npx node bench/footprint.ts [--rounds 5] [--against FOLDER]        (Linux: the memory is read from /proc)
// The package, packed and installed, beside the source; `--against`: and beside a checkout of another version with its
// node_modules. They are measured in turn, each on a store of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../packages/server/test/helpers/free-port.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PORT = await freePort();
const SETTLE_MS = 3000;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, against: { type: 'string' } },
});

interface Version {
  readonly name: string;
  readonly entry: string;
  /** Where npx finds it. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly direct: number[];
  /** Processor time of all its threads until then: less moved by what else the machine does. */
  readonly processor: number[];
  readonly throughNpx: number[];
  readonly memory: number[];
}

const sourceIn = (root: string) => join(root, 'packages/server/bin/unwrite.js');

function install(name: string, folder: string, entry: string): Version {
  const env = {
    ...process.env,
    UNWRITE_DATA_DIR: mkdtempSync(join(tmpdir(), 'unwrite-footprint-')),
    PORT: String(PORT),
  };
  const create = ['client', 'create', '--controller', 'acme'];
  execFileSync(process.execPath, [entry, ...create], { env });
  return { name, entry, folder, env, direct: [], processor: [], throughNpx: [], memory: [] };
}

function installPacked(): Version {
  const folder = mkdtempSync(join(tmpdir(), 'unwrite-packed-'));
  const args = [join(ROOT, 'scripts/pack.mjs'), 'server', folder, '--install'];
  const entry = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
  return install('the package', folder, entry);
}

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

/** In hundredths of a second: the 14th and 15th field. */
function processorMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function run(
  { folder, env }: Version,
  command: string,
  args: string[],
): Promise<{ child: ChildProcess; ms: number }> {
  const start = performance.now();
  const child = spawn(command, args, { cwd: folder, env, stdio: 'ignore' });
  return { child, ms: await untilFirstAnswer(start) };
}

/** npx dies of SIGTERM and the server follows within a moment; directly, that is the server's own. */
async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  await wait(SETTLE_MS);
}

async function measure(version: Version): Promise<void> {
  const server = await run(version, process.execPath, [version.entry, 'serve']);
  version.direct.push(server.ms);
  version.processor.push(processorMs(server.child));
  await wait(SETTLE_MS);
  version.memory.push(residentMebibytes(server.child));
  await stop(server.child);
  const viaNpx = await run(version, 'npx', ['unwrite', 'serve']);
  version.throughNpx.push(viaNpx.ms);
  await stop(viaNpx.child);
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const packed = installPacked();
const other = values.against === undefined ? undefined : resolve(values.against);
const versions = [
  packed,
  install('the source', ROOT, sourceIn(ROOT)),
  ...(other === undefined ? [] : [install('the other version', other, sourceIn(other))]),
];
for (let round = 0; round < Number(values.rounds); round++) {
  // The order alternates, so that other load on the machine does not always hit the same version.
  for (const version of round % 2 === 0 ? versions : versions.toReversed()) await measure(version);
}
for (const { name, env, direct, processor, throughNpx, memory } of versions) {
  rmSync(String(env.UNWRITE_DATA_DIR), { recursive: true, force: true });
  console.log(`${name}:`);
  console.log(`  first answer, directly:    ${(median(direct) / 1000).toFixed(3)} s`);
  console.log(`  processor time until then: ${(median(processor) / 1000).toFixed(3)} s`);
  console.log(`  first answer, through npx: ${(median(throughNpx) / 1000).toFixed(3)} s`);
  console.log(`  idle memory:               ${median(memory).toFixed(1)} MiB`);
}
rmSync(packed.folder, { recursive: true, force: true });
