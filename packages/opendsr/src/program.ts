import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { addConformanceCommand } from './conformance/command.ts';
import { EXIT, type ExitCode, reportFailure } from './failure.ts';
import type { Io } from './io.ts';
import { addCancelCommand } from './requests/cancel.ts';
import { addStatusCommand } from './requests/status.ts';
import { addWatchCommand } from './requests/watch.ts';
import { addSubmitCommand } from './submit/command.ts';
import { addVerifyCommand } from './verify/command.ts';
import { VERSION } from './version.ts';

const AFTER = `
Credentials come from the environment (OPENDSR_CLIENT_ID, OPENDSR_CLIENT_SECRET or OPENDSR_CLIENT_SECRET_FILE) or from a
profile in ~/.config/opendsr/profiles.json, never from flags.

Exit codes: 0 done, 1 something failed, 2 wrong options or settings, 3 stopped before the end.`;

export async function runCommandLine(args: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const context: CommandContext = {
    io,
    end(code) {
      exitCode = code;
    },
  };
  const program = new Command('opendsr')
    .description('For controllers: erasure requests at any OpenDSR processor')
    .version(VERSION, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .addHelpText('after', AFTER)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // What was given may be a secret.
      outputError: (text, write) =>
        write(text.replace(/^error: /, 'opendsr: ').replace(/(--[\w-]+)=[^']*/, '$1')),
    });
  addCommands(program, context);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportFailure(error, io);
  }
}

export function addCommands(program: Command, context: CommandContext): void {
  for (const add of [
    addSubmitCommand,
    addStatusCommand,
    addWatchCommand,
    addCancelCommand,
    addVerifyCommand,
    addConformanceCommand,
  ])
    add(program, context);
}
