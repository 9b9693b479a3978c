// Keys and certificates are given as a value or as a file. If both are given, the source with precedence decides: a
// flag that names the file must not be overruled by a variable that holds a key.
import { SETTINGS, type SettingKey } from './settings.ts';

const PAIRS = [
  ['masterKey', 'masterKeyFile'],
  ['processorKey', 'processorKeyFile'],
  ['processorCertificate', 'processorCertificateFile'],
] as const;

/** Drops the one without precedence; returns a problem for each pair that comes from the same source. */
export function keepOneOfValueAndFile(
  values: Record<string, unknown>,
  sources: Partial<Record<SettingKey, string>>,
): string[] {
  return PAIRS.flatMap(([value, file]) => {
    if (values[value] === undefined || values[file] === undefined) return [];
    const [ofValue, ofFile] = [rankOf(value, sources), rankOf(file, sources)];
    if (ofValue === ofFile) {
      return [`${SETTINGS[value].name} and ${SETTINGS[file].name} are both set; keep one`];
    }
    const loser = ofValue < ofFile ? file : value;
    delete values[loser];
    delete sources[loser];
    return [];
  });
}

function rankOf(setting: SettingKey, sources: Partial<Record<SettingKey, string>>): number {
  const { flag, environment } = SETTINGS[setting];
  const places: (string | null | undefined)[] = [flag, environment];
  const rank = places.indexOf(sources[setting]);
  return rank < 0 ? places.length : rank;
}
