// Every command that a page shows must exist: commands and options of `unwrite`, scripts of npm, files. This holds for
// examples too, which no test runs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { commandBlocks, inlineCommands, pages, ROOT, readPage } from './command-blocks.ts';
import { shellLine, shellLines, unwriteArgs } from './shell-words.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The command line, of which no command does anything. */
async function createIdleProgram(): Promise<Command> {
  const program = await createProgram();
  const idle = (command: Command): void => {
    command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    for (const one of command.commands) idle(one);
    // One that only groups others has no options; `receipt` and `migrate` act, and have commands below them.
    const acts = command.commands.length === 0 || command.options.length > 0;
    if (acts && command !== program) command.action(() => undefined);
  };
  idle(program);
  return program;
}

const program = await createIdleProgram();

/** What is wrong with `unwrite …`; undefined where it can be run. */
function problemOf(args: readonly string[]): string | undefined {
  try {
    program.parse(['node', 'unwrite', ...args]);
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? undefined : error.message;
    throw error;
  }
}

/** Running text names commands without what they need, and shortens values: `audit verify --head 1041:9f2c…`. */
const LEFT_OUT = /^error: (?:missing required argument|required option)|^\(outputHelp\)$/;

function isNamed(command: string): boolean {
  const problem = problemOf(shellLine(command).words.filter((word) => word !== '…'));
  if (problem === undefined || LEFT_OUT.test(problem)) return true;
  return command.includes('…') && problem.includes(' is invalid');
}

function problemsIn(page: string): string[] {
  return commandBlocks(page).flatMap(({ line, text }) =>
    shellLines(text).flatMap((command) => {
      const args = unwriteArgs(command);
      const problem = args === undefined ? missingOf(command.words) : problemOf(args);
      return problem === undefined
        ? []
        : [`${page}:${line}: ${command.words.join(' ')}: ${problem}`];
    }),
  );
}

/** Not scripts of ours. */
const NPM_OWN = ['install', 'uninstall'];

function missingOf(words: readonly string[]): string | undefined {
  const [program, script, name = ''] = words;
  if (program === 'npm' && !NPM_OWN.includes(script ?? '')) {
    const wanted = script === 'run' ? name : (script ?? '');
    if (!Object.hasOwn(scripts, wanted)) return `there is no script ${wanted}`;
  }
  const lost = words.find(
    (word) => /^(?:packages|bench|scripts)\//.test(word) && !existsSync(join(ROOT, word)),
  );
  return lost === undefined ? undefined : `there is no ${lost}`;
}

describe.each(pages)('%s', (page) => {
  it('shows commands that exist, with options that they have', () => {
    expect(problemsIn(page)).toEqual([]);
  });

  it('names commands that exist in its text', () => {
    expect(inlineCommands(readPage(page)).filter((command) => !isNamed(command))).toEqual([]);
  });

  it('says why a block is only an example, or which test runs it', () => {
    for (const { mark, line } of commandBlocks(page)) {
      if (mark?.kind === 'run by')
        expect([line, existsSync(join(ROOT, mark.words))]).toEqual([line, true]);
      if (mark?.kind === 'example') expect(mark.words).toMatch(/\w+ \w+/);
    }
  });
});

describe('the check of commands', () => {
  it.each([
    ['request', 'list', '--colour'],
    ['eraze'],
    ['task', 'release', '--all', '--because', 'x'],
    ['task', 'list', '--state', 'lost'],
    ['request', 'show'],
  ])('refuses unwrite %s %s', (...args) => {
    expect(problemOf(args)).toBeDefined();
  });

  it('reads a block as a shell does, with what is optional in it', () => {
    const text = [
      '# a comment',
      'npx unwrite task release <task> [--target shop]   # go on',
      'npx unwrite task retain 1 --reason "a claim # is pending" \\',
      "  --legal-basis 'x y' > out.txt",
      '',
    ].join('\n');
    expect(shellLines(text)).toEqual([
      {
        words: ['npx', 'unwrite', 'task', 'release', '<task>', '--target', 'shop'],
        into: undefined,
      },
      {
        words: [
          'npx',
          'unwrite',
          'task',
          'retain',
          '1',
          '--reason',
          'a claim # is pending',
          '--legal-basis',
          'x y',
        ],
        into: 'out.txt',
      },
    ]);
  });

  it('recognises a marked block', () => {
    const source = '<!-- example: takes minutes -->\n\n```sh\na\n```\n\n```sh\nb\n```\n';
    expect(commandBlocks('page', source)).toMatchObject([
      { line: 3, text: 'a\n', mark: { kind: 'example', words: 'takes minutes' } },
      { line: 7, text: 'b\n', mark: undefined },
    ]);
  });
});
