// Finds files with secrets that other users of this machine may read; reported at start and by `config check`.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { GivenConfig } from './read-settings.ts';
import type { Environment, Setting } from './setting.ts';
import { SETTING_KEYS, SETTINGS } from './settings.ts';

interface SecretPlaces {
  readonly dataDir: string;
  readonly masterKey: string | undefined;
  readonly masterKeyFile: string;
  readonly tlsKey: string | undefined;
  readonly processorKeyFile: string | undefined;
  readonly store: string;
}

/** Mode bits: any right for others, or the right to write for the group. */
const LOOSE = 0o027;

export function looseFiles(
  { dataDir, masterKey, masterKeyFile, tlsKey, processorKeyFile, store }: SecretPlaces,
  { sources, file, hasWrittenSecret }: Pick<GivenConfig, 'sources' | 'file' | 'hasWrittenSecret'>,
  environment: Environment,
): string[] {
  if (process.platform === 'win32') return [];
  const paths = new Set<string>();
  if (masterKey === undefined) paths.add(masterKeyFile);
  if (tlsKey !== undefined) paths.add(tlsKey);
  if (processorKeyFile !== undefined) paths.add(processorKeyFile);
  const storeKey = URL.parse(store)?.searchParams.get('sslkey');
  if (storeKey) paths.add(storeKey);
  if (hasWrittenSecret && file !== undefined) paths.add(file);
  for (const key of SETTING_KEYS) {
    const { secret }: Setting<unknown> = SETTINGS[key];
    const source = sources[key];
    if (!secret || source === undefined) continue;
    if (source === file) paths.add(file);
    else if (source.endsWith('_FILE')) paths.add(environment[source] ?? '');
  }
  const named = [...paths].filter((path) => isLoose(path)).map(looseFile);
  const inData = looseIn(dataDir).filter((path) => !paths.has(path));
  if (inData.length === 0) return named;
  return [
    ...named,
    `others on this machine may read the data in ${dataDir}; run: chmod -R g-w,o-rwx ${dataDir}`,
  ];
}

function looseFile(path: string): string {
  const mode = modeOf(path)?.toString(8).padStart(4, '0');
  return `${path} holds a secret, and others on this machine may read or change it (mode ${mode}); run: chmod 600 ${path}`;
}

/** Empty if others may not enter the folder. */
function looseIn(folder: string): string[] {
  if (((modeOf(folder) ?? 0) & 0o007) === 0) return [];
  try {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => isLoose(path));
  } catch {
    return [];
  }
}

function isLoose(path: string): boolean {
  return ((modeOf(path) ?? 0) & LOOSE) !== 0;
}

/** Undefined if the file does not exist, or its mode cannot be read. */
function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return undefined;
  }
}
