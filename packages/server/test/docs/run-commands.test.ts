// Runs the command blocks of the pages, one page after the other, in an installation of their own. Blocks that are
// nothing but `npx unwrite …` run in this process; others run in bash, with the variables of the blocks before them.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from '../cli/use-installation.ts';
import { getToken } from '../helpers/http/api.ts';
import { BIN, environmentOf, NODE } from '../helpers/servers/server-process.ts';
import { type CommandBlock, commandBlocks, pages } from './command-blocks.ts';
import { type ShellLine, shellLines, unwriteArgs } from './shell-words.ts';
import { useSandbox } from './use-sandbox.ts';

const sandbox = useSandbox();
/** For pages that begin without anything. */
const empty = useInstallation('sqlite');
const BEGINNINGS = ['docs/single-sign-on.md'];

const hasTools = ['bash', 'curl', 'openssl'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
);
const BASH_MS = 110_000;
const VARIABLES = ['BASE', 'CLIENT_ID', 'CLIENT_SECRET', 'AUDIENCE', 'TOKEN', 'ID'];

function isOfUnwriteAlone(lines: readonly ShellLine[]): boolean {
  return lines.every((line) => unwriteArgs(line) !== undefined);
}

async function runHere(lines: readonly ShellLine[], page: string): Promise<void> {
  for (const line of lines) {
    const args = unwriteArgs(line) ?? [];
    const run = BEGINNINGS.includes(page) ? empty.unwrite : undefined;
    const { exitCode, stdout, stderr } = await (run?.(...args) ?? sandbox.run(args));
    expect([args.join(' '), exitCode, stderr]).toEqual([args.join(' '), 0, expect.any(String)]);
    if (line.into !== undefined) writeFileSync(join(sandbox.folder(), line.into), stdout);
  }
}

/** As in a shell that stays open: variables are kept in a file between the blocks. */
async function runInBash({ text }: CommandBlock): Promise<void> {
  const folder = sandbox.folder();
  const npx = join(folder, 'npx');
  writeFileSync(npx, `#!/bin/bash\nshift; exec "${NODE}" "${BIN}" "$@"\n`);
  chmodSync(npx, 0o755);
  const state = join(folder, 'variables.sh');
  const script = [
    'set -euo pipefail',
    `if [ -f ${state} ]; then . ${state}; fi`,
    await filled(text),
    `for name in ${VARIABLES.join(' ')}; do`,
    `  if [ -n "\${!name:-}" ]; then declare -p $name; fi`,
    `done > ${state}`,
  ].join('\n');
  // The server is in this process: it must be able to answer meanwhile.
  const bash = spawn('bash', ['--norc', '-c', script], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...environmentOf(sandbox.options()),
      PATH: `${folder}:${dirname(process.execPath)}:${process.env.PATH}`,
    },
    timeout: BASH_MS,
  });
  const ended = once(bash, 'exit');
  const stderr = await readText(bash.stderr);
  const [status] = await ended;
  expect([text, status, stderr]).toEqual([text, 0, expect.any(String)]);
}

/** What a reader would put in: their own address, credentials and ids. */
async function filled(text: string): Promise<string> {
  const { client_id, client_secret, audience } = sandbox.credentials();
  const { host } = new URL(sandbox.server().url);
  return text
    .replace(/^AUDIENCE=.*$/m, `AUDIENCE=${audience}`)
    .replaceAll('localhost:8080', host)
    .replace('cli_…', client_id)
    .replace('unwrite_…', client_secret)
    .replaceAll('<client_id>', client_id);
}

const runBlocks = pages
  .map((page) => ({
    page,
    blocks: commandBlocks(page).filter(({ mark }) => mark === undefined),
  }))
  .filter(({ blocks }) => blocks.length > 0);

describe.each(runBlocks)('the commands of $page', ({ page, blocks }) => {
  beforeAll(() => (page === 'docs/receipts-and-audit.md' ? setVariables() : undefined));

  it.each(blocks)('can be run, after those before them, at line $line', async (block) => {
    const lines = shellLines(block.text);
    if (isOfUnwriteAlone(lines)) await runHere(lines, page);
    else if (hasTools) await runInBash(block);
  });
});

/** docs/api.md has set them, for the reader. */
async function setVariables(): Promise<void> {
  const token = await getToken(sandbox.credentials());
  const lines = [`BASE=${sandbox.server().url}`, `TOKEN=${token}`, `ID=${sandbox.completed()}`];
  writeFileSync(join(sandbox.folder(), 'variables.sh'), `${lines.join('\n')}\n`);
}
