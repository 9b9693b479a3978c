// Which processor, and with which credentials: flags before the environment before the profile. Secrets are not taken from
// flags: those are in the history of the shell, and every user of the machine can see them.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ErasureClient, type ErasureClientOptions } from '@unwrite/client';
import type { Command } from 'commander';
import { fileFailure, usageFailure } from '../failure.ts';
import type { Io } from '../io.ts';
import { type Profile, readProfile } from './profile-file.ts';

export interface ConnectionFlags {
  readonly profile?: string;
  readonly profiles?: string;
  readonly baseUrl?: string;
  readonly requestsPath?: string;
  readonly tokenUrl?: string;
  readonly clientId?: string;
  readonly audience?: string;
  readonly allowHttp?: boolean;
}

export interface Connection {
  readonly options: ErasureClientOptions;
  readonly baseUrl: string;
  /** Whose requests they are, for the journal. */
  readonly account: string;
}

export function withConnection(command: Command): Command {
  return command
    .option('--base-url <url>', 'Where /discovery and /requests are (OPENDSR_BASE_URL)')
    .option('--requests-path <path>', 'Default: /requests (OPENDSR_REQUESTS_PATH)')
    .option('--token-url <url>', 'Where tokens are (OPENDSR_TOKEN_URL)')
    .option(
      '--client-id <id>',
      'The client (OPENDSR_CLIENT_ID); its secret is OPENDSR_CLIENT_SECRET',
    )
    .option('--audience <audience>', 'The audience of tokens (OPENDSR_AUDIENCE)')
    .option(
      '--profile <name>',
      'Take what is not given otherwise from this profile (OPENDSR_PROFILE)',
    )
    .option('--profiles <file>', 'The file of profiles (OPENDSR_PROFILES)')
    .option(
      '--allow-http',
      'Allow http: beyond this machine; secrets and identities travel in clear',
    );
}

export function connectionOf(flags: ConnectionFlags, io: Io): Connection {
  const profile = profileOf(flags, io);
  const baseUrl = flags.baseUrl ?? io.env.OPENDSR_BASE_URL ?? profile.base_url;
  if (baseUrl === undefined) {
    throw usageFailure('which processor? give --base-url, OPENDSR_BASE_URL or a profile');
  }
  const requestsPath =
    flags.requestsPath ?? io.env.OPENDSR_REQUESTS_PATH ?? profile.requests_path ?? '/requests';
  const common = { baseUrl, requestsPath, allowHttp: flags.allowHttp ?? false };
  const authorization = io.env.OPENDSR_AUTHORIZATION ?? profile.authorization;
  if (authorization !== undefined) {
    return { options: { ...common, authorization: () => authorization }, baseUrl, account: '' };
  }
  const clientId = flags.clientId ?? io.env.OPENDSR_CLIENT_ID ?? profile.client_id;
  const credentials = {
    tokenUrl: flags.tokenUrl ?? io.env.OPENDSR_TOKEN_URL ?? profile.token_url,
    clientId,
    clientSecret: secretOf(io) ?? profile.client_secret,
    audience: flags.audience ?? io.env.OPENDSR_AUDIENCE ?? profile.audience,
  };
  const NAMES = {
    tokenUrl: 'OPENDSR_TOKEN_URL',
    clientId: 'OPENDSR_CLIENT_ID',
    clientSecret: 'OPENDSR_CLIENT_SECRET',
    audience: 'OPENDSR_AUDIENCE',
  };
  const missing = Object.entries(credentials).filter(([, value]) => !value);
  if (missing.length > 0) {
    const names = missing.map(([name]) => NAMES[name as keyof typeof NAMES]);
    throw usageFailure(`credentials are missing: set ${names.join(', ')}, or use a profile`);
  }
  const options = { ...common, ...(credentials as Required<typeof credentials>) };
  return { options: options as ErasureClientOptions, baseUrl, account: clientId ?? '' };
}

export function connect(
  { options }: Connection,
  io: Io,
  more: Partial<ErasureClientOptions> = {},
): ErasureClient {
  const clock = { now: io.now, wait: io.wait };
  try {
    return new ErasureClient({ ...options, clock, ...more } as ErasureClientOptions);
  } catch (error) {
    if (error instanceof TypeError) throw usageFailure(error.message);
    throw error;
  }
}

function profileOf(flags: ConnectionFlags, io: Io): Profile {
  const name = flags.profile ?? io.env.OPENDSR_PROFILE;
  if (name === undefined) return {};
  const given = flags.profiles ?? io.env.OPENDSR_PROFILES;
  return readProfile(resolve(io.cwd, given ?? `${io.home}/.config/opendsr/profiles.json`), name);
}

function secretOf({ env, cwd }: Io): string | undefined {
  const file = env.OPENDSR_CLIENT_SECRET_FILE;
  if (env.OPENDSR_CLIENT_SECRET !== undefined || file === undefined)
    return env.OPENDSR_CLIENT_SECRET;
  try {
    // Its mode is that of the system which mounts it.
    return readFileSync(resolve(cwd, file), 'utf8').trim();
  } catch (error) {
    throw fileFailure(file, error);
  }
}
