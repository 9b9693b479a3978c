// The command line: one file a command, each loading what it needs only when it runs.
import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addAlarmsCommands } from './alarms.ts';
import { addAuditCommands } from './audit.ts';
import { addClientCommands } from './client.ts';
import { addConfigCommands } from './config.ts';
import { addControllerCommands } from './controller.ts';
import { addEraseAgainCommand } from './erase-again.ts';
import { reportFailure } from './failure.ts';
import { addKeyCommands } from './keys.ts';
import { addManualCommands } from './manual.ts';
import { addMigrateCommand } from './migrate.ts';
import { addNodeCommand } from './node.ts';
import { addPauseCommands } from './pause.ts';
import { addPreviewCommand } from './preview.ts';
import { addReceiptCommands } from './receipt.ts';
import { addRequestCommands } from './request.ts';
import { addSeenCommand } from './seen.ts';
import { addServeCommand } from './serve.ts';
import { addSigningKeyCommands } from './signing-key.ts';
import { addStoreCommands } from './store.ts';
import { addTargetCommands } from './target.ts';
import { addTaskCommands } from './task.ts';
import { addTokenCommand } from './token.ts';
import { addVersionCommand } from './version.ts';

const AFTER = `
Settings come from flags, the environment and unwrite.config.yaml, in this order;
"unwrite config show" says what is in force. Exit codes: 0 done, 1 failed, 2 wrong
usage, 78 wrong settings.`;

export function createProgram(): Command {
  const program = new Command('unwrite')
    .description('The self-hosted erasure processor: OpenDSR 2.0 over HTTP')
    .version(VERSION, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand('help [command]', 'Print help for a command')
    .addHelpText('after', AFTER)
    .showSuggestionAfterError()
    // What stands behind a command is that command's: "receipt" and "receipt verify" share options.
    .enablePositionalOptions()
    .exitOverride();
  addServeCommand(program);
  addControllerCommands(program);
  addClientCommands(program);
  addRequestCommands(program);
  addTaskCommands(program);
  addManualCommands(program);
  addTargetCommands(program);
  addPreviewCommand(program);
  addPauseCommands(program);
  addAlarmsCommands(program);
  addEraseAgainCommand(program);
  addSeenCommand(program);
  addReceiptCommands(program);
  addAuditCommands(program);
  addTokenCommand(program);
  addSigningKeyCommands(program);
  addKeyCommands(program);
  addConfigCommands(program);
  addMigrateCommand(program);
  addStoreCommands(program);
  addNodeCommand(program);
  addVersionCommand(program);
  return program;
}

export async function runCommandLine(argv: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync([...argv]);
    return 0;
  } catch (error) {
    return reportFailure(error, argv.includes('--json'));
  }
}
