// All commands except `serve`, in the order in which the help lists them.
import type { Command } from 'commander';
import { addAlarmsCommands } from './alarms/alarms.ts';
import { addAuditCommands } from './audit/audit.ts';
import { addBackupCommands } from './backup/backup.ts';
import { addCertificateCommands } from './certificate/certificate.ts';
import { addClientCommands } from './client/client.ts';
import { addTokenCommand } from './client/token.ts';
import { addControllerCommands } from './controller/controller.ts';
import { addEventsCommands } from './events/events.ts';
import { addExportCommand } from './export/export.ts';
import { addKeyCommands } from './keys/keys.ts';
import { addSigningKeyCommands } from './keys/signing-key.ts';
import { addLegalHoldCommands } from './legal-hold/legal-hold.ts';
import { addConsoleCommands } from './operator/console.ts';
import { addOperatorCommands } from './operator/operator.ts';
import { addReceiptCommands } from './receipt/receipt.ts';
import { addEraseAgainCommand } from './request/erase-again.ts';
import { addPreviewCommand } from './request/preview.ts';
import { addRequestCommands } from './request/request.ts';
import { addSeenCommand } from './request/seen.ts';
import { addConfigCommands } from './server/config.ts';
import { addDoctorCommand } from './server/doctor.ts';
import { addHealthCommand } from './server/health.ts';
import { addNodeCommand } from './server/node.ts';
import { addSettingsCommand } from './server/settings.ts';
import { addVersionCommand } from './server/version.ts';
import { addStoreCommands } from './store/copy.ts';
import { addMigrateCommand } from './store/migrate.ts';
import { addRestoredCommands } from './store/restored.ts';
import { addPauseCommands } from './target/pause.ts';
import { addTargetCommands } from './target/target.ts';
import { addManualCommands } from './task/manual.ts';
import { addTaskCommands } from './task/task.ts';

interface Commands {
  readonly names: readonly string[];
  add(program: Command): void;
}

const COMMANDS: readonly Commands[] = [
  { names: ['console'], add: addConsoleCommands },
  { names: ['operator'], add: addOperatorCommands },
  { names: ['controller'], add: addControllerCommands },
  { names: ['client'], add: addClientCommands },
  { names: ['request'], add: addRequestCommands },
  { names: ['task'], add: addTaskCommands },
  { names: ['manual'], add: addManualCommands },
  { names: ['target'], add: addTargetCommands },
  { names: ['preview'], add: addPreviewCommand },
  { names: ['pause', 'resume'], add: addPauseCommands },
  { names: ['alarms'], add: addAlarmsCommands },
  { names: ['legal-hold'], add: addLegalHoldCommands },
  { names: ['events'], add: addEventsCommands },
  { names: ['erase-again'], add: addEraseAgainCommand },
  { names: ['seen'], add: addSeenCommand },
  { names: ['receipt'], add: addReceiptCommands },
  { names: ['export'], add: addExportCommand },
  { names: ['audit'], add: addAuditCommands },
  { names: ['token'], add: addTokenCommand },
  { names: ['signing-key'], add: addSigningKeyCommands },
  { names: ['keys'], add: addKeyCommands },
  { names: ['certificate'], add: addCertificateCommands },
  { names: ['config'], add: addConfigCommands },
  { names: ['doctor'], add: addDoctorCommand },
  { names: ['migrate'], add: addMigrateCommand },
  { names: ['store'], add: addStoreCommands },
  { names: ['backup'], add: addBackupCommands },
  { names: ['restored'], add: addRestoredCommands },
  { names: ['node'], add: addNodeCommand },
  { names: ['health'], add: addHealthCommand },
  { names: ['version'], add: addVersionCommand },
  { names: ['settings'], add: addSettingsCommand },
];

/**
 * `named`: the command that is run, if known. Adding all commands takes 75 ms of processor time, because each has
 * all settings as flags.
 */
export function addOtherCommands(program: Command, named?: string): void {
  const only = COMMANDS.filter(({ names }) => names.some((name) => name === named));
  for (const { add } of only.length > 0 ? only : COMMANDS) add(program);
}
