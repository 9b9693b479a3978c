// The command line: one file for each command, which loads what it needs only when it runs. `serve` runs for a
// long time, so it does not load the other commands.
import { Command, Help, type Option } from 'commander';
import { VERSION } from '../app/version.ts';
import { asTyped } from '../domain/own-command.ts';
import { addServeCommand } from './server/serve.ts';
import { reportFailure } from './shared/failure.ts';

const AFTER = `
Settings come from flags, the environment and unwrite.config.yaml, in this order:
"unwrite help settings" lists them, "unwrite config show" says what is in force. Exit codes: 0 done, 1 failed, 2 wrong
usage, 78 wrong settings.`;

const OWN_OPTIONS = 'Options:';

/**
 * Commander shows groups in the order in which options were added; a command without own options has its
 * settings first.
 */
function ownOptionsFirst<T extends Command | Option>(
  unsorted: T[],
  visible: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const groups = new Help().groupItems(unsorted, visible, groupOf);
  const own = groups.get(OWN_OPTIONS);
  return own === undefined ? groups : new Map([[OWN_OPTIONS, own], ...groups]);
}

/**
 * Commander begins with "error: "; all other failures begin with the name of the program. What was given for an option
 * or argument that there is not may be a secret, and these lines end up in logs: it is left out.
 */
function usageProblem(text: string): string {
  return text
    .replace(/^(error: unknown option '[^=]*)=.*'/s, "$1'")
    .replace(/^(error: too many arguments.* but got \d+): .*\.$/ms, '$1.')
    .replace(/^error: /, 'unwrite: ');
}

/** A program with only the command `serve`. */
function createServeProgram(): Command {
  const program = new Command('unwrite')
    .description('The self-hosted erasure processor: OpenDSR 2.0 over HTTP')
    .version(VERSION, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand('help [command]', 'Print help for a command')
    .addHelpText('after', AFTER)
    .showSuggestionAfterError()
    // Options after a command belong to that command: "receipt" and "receipt verify" share some.
    .enablePositionalOptions()
    .configureOutput({
      outputError: (text, write) => write(asTyped(usageProblem(text))),
      writeOut: (text) => process.stdout.write(asTyped(text)),
    })
    .configureHelp({ groupItems: ownOptionsFirst })
    .exitOverride();
  addServeCommand(program);
  return program;
}

/** `named`: the command that is run; the program then has only this one. Without it, or if it is unknown, all. */
export async function createProgram(named?: string): Promise<Command> {
  const { addOtherCommands } = await import('./other-commands.ts');
  const program = createServeProgram();
  addOtherCommands(program, named);
  return program;
}

export async function runCommandLine(argv: readonly string[]): Promise<number> {
  try {
    const program = argv[2] === 'serve' ? createServeProgram() : await createProgram(argv[2]);
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    return reportFailure(error, argv.includes('--json'));
  }
}
