// The command line: one file a command, each loading what it needs only when it runs.
import { Command, Help, type Option } from 'commander';
import { VERSION } from '../app/version.ts';
import { addAlarmsCommands } from './alarms/alarms.ts';
import { addAuditCommands } from './audit/audit.ts';
import { addClientCommands } from './client/client.ts';
import { addTokenCommand } from './client/token.ts';
import { addControllerCommands } from './controller/controller.ts';
import { addKeyCommands } from './keys/keys.ts';
import { addSigningKeyCommands } from './keys/signing-key.ts';
import { addConsoleCommands } from './operator/console.ts';
import { addOperatorCommands } from './operator/operator.ts';
import { addReceiptCommands } from './receipt/receipt.ts';
import { addEraseAgainCommand } from './request/erase-again.ts';
import { addPreviewCommand } from './request/preview.ts';
import { addRequestCommands } from './request/request.ts';
import { addSeenCommand } from './request/seen.ts';
import { addConfigCommands } from './server/config.ts';
import { addNodeCommand } from './server/node.ts';
import { addServeCommand } from './server/serve.ts';
import { addSettingsCommand } from './server/settings.ts';
import { addVersionCommand } from './server/version.ts';
import { reportFailure } from './shared/failure.ts';
import { addStoreCommands } from './store/copy.ts';
import { addMigrateCommand } from './store/migrate.ts';
import { addRestoredCommands } from './store/restored.ts';
import { addPauseCommands } from './target/pause.ts';
import { addTargetCommands } from './target/target.ts';
import { addManualCommands } from './task/manual.ts';
import { addTaskCommands } from './task/task.ts';

const AFTER = `
Settings come from flags, the environment and unwrite.config.yaml, in this order:
"unwrite help settings" lists them, "unwrite config show" says what is in force. Exit codes: 0 done, 1 failed, 2 wrong
usage, 78 wrong settings.`;

const OWN_OPTIONS = 'Options:';

/** Groups come in the order in which options were added; settings are added first where a command has none of its own. */
function ownOptionsFirst<T extends Command | Option>(
  unsorted: T[],
  visible: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const groups = new Help().groupItems(unsorted, visible, groupOf);
  const own = groups.get(OWN_OPTIONS);
  return own === undefined ? groups : new Map([[OWN_OPTIONS, own], ...groups]);
}

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
    // Commander says "error: "; all other failures begin with the name of the program.
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'unwrite: ')),
    })
    .configureHelp({ groupItems: ownOptionsFirst })
    .exitOverride();
  addServeCommand(program);
  addConsoleCommands(program);
  addOperatorCommands(program);
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
  addRestoredCommands(program);
  addNodeCommand(program);
  addVersionCommand(program);
  addSettingsCommand(program);
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
