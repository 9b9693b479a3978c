import type { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProgram, runCommandLine } from '../../src/cli/program.ts';
import { runUnwrite } from '../helpers/servers/server-process.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const PROGRAM = await createProgram();

function pathsOf(command: Command, path: readonly string[] = []): string[][] {
  return [[...path], ...command.commands.flatMap((sub) => pathsOf(sub, [...path, sub.name()]))];
}

function commandAt(path: readonly string[]): Command {
  return path.reduce((command: Command, name) => {
    const found = command.commands.find((sub) => sub.name() === name);
    if (found === undefined) throw new Error(`no command ${name}`);
    return found;
  }, PROGRAM);
}

const PATHS = pathsOf(PROGRAM);

describe.each(PATHS.map((path) => ({ path, line: ['unwrite', ...path].join(' ') })))(
  '$line',
  ({ path }) => {
    it.each(['--help', '-h'])('prints help for %s and ends with 0', async (flag) => {
      const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      const exitCode = await runCommandLine(['node', 'unwrite', ...path, flag]);
      const printed = write.mock.calls.map(([text]) => String(text)).join('');
      expect(exitCode).toBe(0);
      expect(printed).toMatch(new RegExp(`^Usage: ${['unwrite', ...path].join(' ')}`));
    });

    it('says what it and each of its options is for', () => {
      const command = commandAt(path);
      expect(command.description()).not.toBe('');
      expect(command.options.filter(({ description }) => !description)).toEqual([]);
    });
  },
);

describe('a program with the command that is run alone', () => {
  it.each(PROGRAM.commands.map((command) => command.name()))(
    'has %s as the whole program has it',
    async (name) => {
      const alone = await createProgram(name);
      const command = alone.commands.find((one) => one.name() === name);
      expect(command && pathsOf(command).map(String)).toEqual(
        pathsOf(commandAt([name])).map(String),
      );
      expect(command?.helpInformation()).toBe(commandAt([name]).helpInformation());
      if (name !== 'serve') expect(alone.commands.length).toBeLessThan(4);
    },
  );

  it.each([undefined, 'help', '--version', 'reqest'])(
    'has all commands if %s is run',
    async (name) => {
      const names = (await createProgram(name)).commands.map((command) => command.name());
      expect(names).toEqual(PROGRAM.commands.map((command) => command.name()));
    },
  );
});

describe('the command line', () => {
  it('offers every command that operators were promised', () => {
    const lines = PATHS.map((path) => path.join(' '));
    expect(lines).toEqual(
      expect.arrayContaining([
        'serve',
        'config show',
        'config check',
        'migrate',
        'store copy',
        'version',
        'controller create',
        'controller list',
        'controller show',
        'client create',
        'client list',
        'client revoke',
        'client secret add',
        'client secret revoke',
        'request list',
        'request show',
        'request start',
        'request retry',
        'request identify',
        'task list',
        'task release',
        'task retain',
        'manual list',
        'manual confirm',
        'target list',
        'target check',
        'target suggest',
        'preview',
        'receipt',
        'receipt verify',
        'audit list',
        'audit verify',
        'audit export',
        'audit key',
        'token',
      ]),
    );
  });

  it.each<[string, string[], RegExp]>([
    ['an unknown command, with a suggestion', ['serv'], /unknown command 'serv'.*serve/s],
    ['an unknown subcommand', ['client', 'destroy'], /unknown command 'destroy'/],
    ['an unknown option, with a suggestion', ['serve', '--prot', '1'], /--prot'.*--port/s],
    ['a missing argument', ['controller', 'create'], /missing required argument 'controller_id'/],
    ['a missing option', ['client', 'create'], /required option '--controller/],
    ['an option without its value', ['serve', '--port'], /argument missing/],
    ['too many arguments', ['client', 'revoke', 'a', 'b'], /too many arguments/],
    [
      'a status that is none',
      ['request', 'list', '--status', 'done'],
      /Allowed choices are pending/,
    ],
    ['an age that is none', ['request', 'list', '--older-than', 'old'], /must be a duration/],
    ['a limit that is none', ['request', 'list', '--limit', '0'], /must be 1 to 999999/],
  ])('exits with 2 for %s', async (_, args, message) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await runCommandLine(['node', 'unwrite', ...args])).toBe(2);
    expect(write.mock.calls.map(([text]) => String(text)).join('')).toMatch(message);
  });

  it.each<[string, string[], RegExp]>([
    ['an option as in the file', ['serve', '--master_key=s3cret'], /option '--master_key'$/m],
    ['a setting before the command', ['--store=pg://u:s3cret@h/d', 'serve'], /option '--store'$/m],
    ['quotes and lines', ['config', 'show', "--master_key=s3cret'\n's3cret"], /'--master_key'$/m],
    ['a single dash', ['config', 'show', '-master-key=s3cret'], /option '-master-key'$/m],
    ['a variable', ['serve', 'UNWRITE_MASTER_KEY=s3cret'], /but got 1\.$/m],
    ['several lines', ['config', 'show', 's3cret.\ns3cret.', 's3cret'], /but got 2\.$/m],
  ])('does not repeat a secret that was given in a wrong way: %s', async (_, args, message) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await runCommandLine(['node', 'unwrite', ...args])).toBe(2);
    const written = write.mock.calls.map(([text]) => String(text)).join('');
    expect(written).toMatch(message);
    expect(written).not.toContain('s3cret');
  });

  it('prints help and ends with 2 when it is called without a command', () => {
    const { exitCode, stdout, stderr } = runUnwrite([]);
    expect(exitCode).toBe(2);
    expect(stdout + stderr).toContain('Usage: unwrite');
  });

  async function print(...args: string[]): Promise<string> {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await runCommandLine(['node', 'unwrite', ...args]);
    const printed = write.mock.calls.map(([text]) => String(text)).join('');
    write.mockRestore();
    return printed;
  }

  it('shows the options of a command before the settings, with their defaults', async () => {
    for (const path of [['serve'], ['target', 'check'], ['task', 'release']]) {
      const help = await print(...path, '--help');
      expect(help.indexOf('\nOptions:')).toBeGreaterThan(0);
      expect(help.indexOf('\nOptions:')).toBeLessThan(help.indexOf('\nSettings:'));
      expect(help.replaceAll(/\s+/g, ' ')).toContain('(UNWRITE_DATA_DIR, default ./data)');
    }
  });

  it('shows at most ten settings in the help of a command, and all of them with "help settings"', async () => {
    const flags = (help: string) => help.match(/^ {2}--[a-z-]+ (?=.*\(|$)/gm) ?? [];
    for (const path of PATHS.filter((path) => path.length > 0 && path[0] !== 'settings')) {
      const settings = (await print(...path, '--help')).split('Settings:')[1] ?? '';
      expect(flags(settings).length).toBeLessThanOrEqual(11);
    }
    const all = await print('help', 'settings');
    for (const flag of ['--retention-records', '--signing-key-rotation', '--retry-delay'])
      expect(all).toContain(flag);
  });

  it('prints its version in three ways', () => {
    const { version } = JSON.parse(runUnwrite(['version', '--json']).stdout);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(runUnwrite(['--version']).stdout).toBe(`${version}\n`);
    const [, node] = / \(Node\.js (v\d+\.\d+\.\d+)\)\n$/.exec(runUnwrite(['version']).stdout) ?? [];
    expect(runUnwrite(['version']).stdout).toBe(`unwrite ${version} (Node.js ${node})\n`);
  });
});
