// The master key is given as a value or as a file. If both are given, the source with precedence decides: a flag that
// names the file must not be overruled by a variable that holds a key.
import { SETTINGS, type SettingKey } from './settings.ts';

/** Drops the one without precedence; returns a problem if both come from the same source. */
export function keepOneMasterKey(
  values: Record<string, unknown>,
  sources: Partial<Record<SettingKey, string>>,
): string[] {
  if (values.masterKey === undefined || values.masterKeyFile === undefined) return [];
  const [key, file] = [rankOf('masterKey', sources), rankOf('masterKeyFile', sources)];
  if (key === file) return ['master_key and master_key_file are both set; keep one'];
  const loser = key < file ? 'masterKeyFile' : 'masterKey';
  delete values[loser];
  delete sources[loser];
  return [];
}

function rankOf(setting: SettingKey, sources: Partial<Record<SettingKey, string>>): number {
  const { flag, environment } = SETTINGS[setting];
  const places: (string | null | undefined)[] = [flag, environment];
  const rank = places.indexOf(sources[setting]);
  return rank < 0 ? places.length : rank;
}
