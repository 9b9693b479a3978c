// Reads and checks all settings: a flag overrides the environment, which overrides the file. Reports all problems.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { didYouMean } from '../domain/did-you-mean.ts';
import { flattenGroups } from './grouped-settings.ts';
import { type ConfigFile, readConfigFile } from './read-file.ts';
import {
  BadValue,
  BadValues,
  type Environment,
  type ReadContext,
  type Setting,
} from './setting.ts';
import { type GivenSettings, SETTING_KEYS, SETTINGS, type SettingKey } from './settings.ts';
import { hasWrittenSecret } from './targets/written-secrets.ts';
import { keepOneOfValueAndFile } from './value-or-file.ts';

export type Flags = Readonly<Record<string, unknown>>;

export interface GivenConfig {
  readonly values: GivenSettings;
  /** Source of each value: "--port", "PORT", the file's path. */
  readonly sources: Partial<Record<SettingKey, string>>;
  readonly problems: string[];
  readonly warnings: string[];
  readonly file: string | undefined;
  /** The file has the secret of a target in it. */
  readonly hasWrittenSecret: boolean;
}

export function readSettings(
  flags: Flags,
  environment: Environment,
  directory: string,
): GivenConfig {
  const explicitFile = typeof flags.config === 'string' ? flags.config : environment.UNWRITE_CONFIG;
  const file = readConfigFile(explicitFile, directory);
  const known = SETTING_KEYS.map((key) => SETTINGS[key].name);
  const inFile = flattenGroups(file.values, known);
  const problems = [...file.problems, ...inFile.problems.map(file.withLocation)];
  const values: Record<string, unknown> = {};
  const sources: Partial<Record<SettingKey, string>> = {};
  const around = { environment, directory: file.path ? dirname(file.path) : directory };
  const given = { flags, environment, fileValues: inFile.values, filePath: file.path };

  for (const key of SETTING_KEYS) {
    const setting: Setting<unknown> = SETTINGS[key];
    try {
      const found = find(key, setting, given);
      if (found === undefined) continue;
      sources[key] = found.source;
      values[key] = readValue(setting, found, around, file);
    } catch (error) {
      if (error instanceof BadValues) problems.push(...error.problems);
      else if (error instanceof BadValue) problems.push(error.message);
      else throw error;
    }
  }
  problems.push(...keepOneOfValueAndFile(values, sources));
  return {
    values: values as GivenSettings,
    sources,
    problems,
    warnings: unknownEnvironment(environment),
    file: file.path,
    hasWrittenSecret: hasWrittenSecret(inFile.values.targets),
  };
}

interface Found {
  readonly raw: unknown;
  readonly source: string;
}

/** The places where a setting can be, the strongest first. */
interface Given {
  readonly flags: Flags;
  readonly environment: Environment;
  readonly fileValues: Record<string, unknown>;
  readonly filePath: string | undefined;
}

function find(
  key: SettingKey,
  setting: Setting<unknown>,
  { flags, environment, fileValues, filePath }: Given,
): Found | undefined {
  const fromFile = fileValues[setting.name];
  const inFile =
    fromFile === undefined || fromFile === null
      ? undefined
      : { raw: fromFile, source: filePath ?? 'file' };
  if (setting.flag === null || setting.environment === null) return inFile;
  if (flags[key] !== undefined) {
    if (isSecretFlag(setting, flags[key])) throw new BadValue(refusedFlag(setting));
    return { raw: flags[key], source: setting.flag };
  }
  const fromEnvironment = environment[setting.environment];
  // An empty variable is how many tools say "not set".
  const isSet = fromEnvironment !== undefined && fromEnvironment !== '';
  const secretFile = setting.secret ? environment[`${setting.environment}_FILE`] : undefined;
  if (isSet && secretFile) {
    throw new BadValue(
      `${setting.environment} and ${setting.environment}_FILE are both set; keep one`,
    );
  }
  if (isSet) return { raw: fromEnvironment, source: setting.environment };
  // Where the file is a setting of its own, it is read later: it may be read again, or hold several keys.
  if (secretFile && !(`${key}File` in SETTINGS))
    return readSecretFile(`${setting.environment}_FILE`, secretFile);
  return inFile;
}

/** All users of a machine can list its processes with their flags. */
function isSecretFlag({ secret, kind }: Setting<unknown>, raw: unknown): boolean {
  return secret && (kind.holdsSecret?.(raw) ?? true);
}

function refusedFlag({ flag, environment }: Setting<unknown>): string {
  return `${flag} is not accepted with a secret, since all users of this machine can see it; set ${environment}, or put it into a file that only you can read and set ${environment}_FILE to its path`;
}

function readSecretFile(source: string, path: string): Found {
  try {
    return { raw: readFileSync(path, 'utf8').trim(), source };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new BadValue(`${source}: ${path} cannot be read (${reason})`);
  }
}

function readValue(
  setting: Setting<unknown>,
  { raw, source }: Found,
  around: ReadContext,
  file: ConfigFile,
): unknown {
  const placed = (problem: string) =>
    source === file.path ? file.withLocation(problem) : `${source}: ${problem}`;
  try {
    return setting.kind.read(raw, around);
  } catch (error) {
    if (error instanceof BadValues) {
      throw new BadValues(error.problems.map(placed));
    }
    const reason = error instanceof BadValue ? error.message : 'cannot be read';
    const isSpelling = source === setting.flag || source === setting.environment;
    throw new BadValue(isSpelling ? `${source} ${reason}` : placed(`${setting.name} ${reason}`));
  }
}

function unknownEnvironment(environment: Environment): string[] {
  const known = SETTING_KEYS.flatMap((key) => {
    const { environment: name, secret }: Setting<unknown> = SETTINGS[key];
    if (name === null) return [];
    return secret ? [name, `${name}_FILE`] : [name];
  });
  known.push('UNWRITE_CONFIG');
  return Object.keys(environment)
    .filter((name) => name.startsWith('UNWRITE_') && !name.startsWith('UNWRITE_TEST_'))
    .filter((name) => !known.includes(name))
    .map((name) => `${name} is not a setting${didYouMean(name, known, 'UNWRITE_')}`);
}
