// Options that many commands share.
import { userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type LoadedConfig, loadConfig } from '../../config/config.ts';
import type { Flags } from '../../config/read-settings.ts';
import type { Setting } from '../../config/setting.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from '../../config/settings.ts';
import { OPERATOR_NAME } from '../../domain/operator/operator-name.ts';

const SETTINGS_GROUP = 'Settings:';

export function withConfigFile(command: Command): Command {
  return command.addOption(
    new Option(
      '--config <file>',
      'Configuration file (UNWRITE_CONFIG, default unwrite.config.yaml)',
    ).helpGroup(SETTINGS_GROUP),
  );
}

/** Settings that every command on the store needs. */
const OF_THE_STORE: readonly SettingKey[] = [
  'dataDir',
  'store',
  'storeSchema',
  'masterKeyFile',
  'logLevel',
];

/**
 * Adds every setting as a flag, such as `--cancellation-window`. The help shows only those that matter to the
 * command.
 */
export function withSettings(
  command: Command,
  shown: readonly SettingKey[] = OF_THE_STORE,
): Command {
  withConfigFile(command);
  if (shown.length < SETTING_KEYS.length) command.addHelpText('after', MORE_SETTINGS);
  for (const key of SETTING_KEYS) {
    const { flag, environment, description, defaultText, kind, secret }: Setting<unknown> =
      SETTINGS[key];
    // An option of the command may have the name of a setting that the command does not need.
    if (flag === null || command.options.some(({ long }) => long === flag)) continue;
    const value = kind.schema.type === 'boolean' ? '[value]' : '<value>';
    // Commander shows a default only if it sets it itself; here config.ts does that.
    const told = `${description} (${environment}, default ${defaultText})`;
    const option = new Option(`${flag} ${value}`, told)
      .helpGroup(SETTINGS_GROUP)
      // Accepted as a flag, so that the error can say how to give a secret.
      .hideHelp(!shown.includes(key) || (secret && kind.holdsSecret === undefined));
    command.addOption(option);
  }
  return command;
}

const MORE_SETTINGS = '\nAll settings: unwrite help settings';

export function settingsOf(command: Command): LoadedConfig {
  return loadConfig(flagsOf(command), process.env, process.cwd());
}

function flagsOf(command: Command): Flags {
  const given: Record<string, unknown> = command.opts();
  const names = command.options
    .filter(({ helpGroupHeading }) => helpGroupHeading === SETTINGS_GROUP)
    .map((option) => option.attributeName());
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

export function withJson(command: Command): Command {
  return command.option('--json', 'Print JSON, for scripts');
}

/** Adds --as: the name for the audit log. */
export function withActor(command: Command): Command {
  return command.option('--as <name>', 'Your name in the audit log', readName, systemUser());
}

function readName(value: string): string {
  if (!OPERATOR_NAME.test(value)) {
    throw new InvalidArgumentError(
      'It must have 1 to 100 characters, no control or invisible characters and no white space at either end, and not begin with "client:".',
    );
  }
  return value;
}

/** In a container there may be a user id without a name. */
export function systemUser(readUser: () => { username: string } = userInfo): string {
  try {
    return readUser().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

export function actorOf(command: Command): string {
  return `operator:${command.opts<{ as: string }>().as}`;
}

export function readLimit(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('It must be 1 to 999999.');
  return Number(value);
}
