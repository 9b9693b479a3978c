// Profiles: the processors that someone speaks to, with the credentials for each, in a file that only they can read.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { fileFailure, usageFailure } from '../failure.ts';

const MEMBERS = [
  'base_url',
  'requests_path',
  'token_url',
  'client_id',
  'client_secret',
  'audience',
  'authorization',
] as const;

export type Profile = Readonly<Partial<Record<(typeof MEMBERS)[number], string>>>;

export function readProfile(path: string, name: string): Profile {
  const text = readPrivately(path);
  let profiles: unknown;
  try {
    profiles = JSON.parse(text);
  } catch {
    throw usageFailure(`${path} is not valid JSON`);
  }
  const known = Object(profiles) as Record<string, unknown>;
  const profile = Object.hasOwn(known, name) ? known[name] : undefined;
  if (typeof profile !== 'object' || profile === null) {
    const names = Object.keys(known).join(', ');
    throw usageFailure(`${path} has no profile ${name}; it has: ${names || 'none'}`);
  }
  for (const [member, value] of Object.entries(profile)) {
    if (!MEMBERS.some((it) => it === member)) {
      throw usageFailure(
        `${path}: the profile ${name} has a member that is not known, "${member}"; known are ${MEMBERS.join(', ')}`,
      );
    }
    if (typeof value !== 'string')
      throw usageFailure(`${path}: ${member} of ${name} must be a string`);
  }
  return profile as Profile;
}

/** Refuses a file that others can read or change: it has secrets in it, and says where they are sent. */
function readPrivately(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw fileFailure(path, error);
  }
  try {
    const { mode, uid } = fstatSync(file);
    const own = process.getuid?.();
    // Windows has no such modes.
    if (own !== undefined && (mode & 0o077) !== 0) {
      throw usageFailure(
        `${path} can be read or changed by others (mode ${(mode & 0o777).toString(8)}); run: chmod 600 ${path}`,
      );
    }
    if (own !== undefined && uid !== own && uid !== 0) {
      throw usageFailure(`${path} belongs to another user; make it your own`);
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
