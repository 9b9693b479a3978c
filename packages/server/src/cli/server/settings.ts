import type { Command } from 'commander';
import { SETTING_KEYS } from '../../config/settings.ts';
import { withSettings } from '../shared/options.ts';

/** `unwrite help settings`: lists all settings; the help of a command leaves most of them out. */
export function addSettingsCommand(program: Command): void {
  const command = program
    .command('settings', { hidden: true })
    .summary('All settings')
    .description(
      'All settings as flags of every command, with their names in the environment. "unwrite config show" says which values are in force.',
    )
    .action(() => command.help());
  withSettings(command, SETTING_KEYS);
}
