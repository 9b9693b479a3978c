// Makes a key and a signing request for the processor's certificate, or a self-signed pair to try signatures with.
import { existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  KEY_TYPES,
  type KeyType,
  keyPem,
  makeCertificate,
  makeKey,
  makeSigningRequest,
} from '../../certificate/make-certificate.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { syncFolder, writeSynced } from '../../files/synced.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withJson } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

/** Short, so that it is not mistaken for one that lasts. */
const SELF_SIGNED_DAYS = 30;
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

interface CreateOptions {
  readonly domain: string;
  readonly keyType: KeyType;
  readonly selfSigned?: boolean;
  readonly folder: string;
  readonly json?: boolean;
}

export function addCertificateCommands(program: Command): void {
  const certificate = program
    .command('certificate')
    .description('Certificate of the processor, which signs the answers to controllers');

  const create = certificate
    .command('create')
    .description('Make a key and a request for a certificate, for an authority to sign')
    .requiredOption('--domain <name>', 'Processor domain: the setting domain', readDomain)
    .addOption(
      new Option('--key-type <type>', 'Signatures by p-256 cost less; more controllers know rsa')
        .choices(KEY_TYPES)
        .default('rsa'),
    )
    .option('--self-signed', 'Make a certificate at once, to try signatures; not for production')
    .option('--folder <path>', 'Where to write the files', '.');
  withJson(create).action((options: CreateOptions) => createPair(options));
}

function createPair({ domain, keyType, selfSigned, folder, json }: CreateOptions): void {
  const base = join(resolve(folder), domain);
  const paths = { key: `${base}.key`, other: selfSigned ? `${base}.crt` : `${base}.csr` };
  const key = makeKey(keyType);
  const now = Date.now();
  const validTo = now + SELF_SIGNED_DAYS * DAY_MS;
  writeBoth(
    [paths.key, keyPem(key)],
    [
      paths.other,
      selfSigned
        ? makeCertificate({ key, commonName: domain, domains: [domain], validFrom: now, validTo })
        : makeSigningRequest(key, domain),
    ],
  );
  if (json) {
    printJson({ domain, key: paths.key, [selfSigned ? 'certificate' : 'request']: paths.other });
    return;
  }
  printLines(`Key: ${paths.key}`);
  if (selfSigned) {
    printLines(
      `Certificate: ${paths.other}`,
      '',
      `Not for production: it is self-signed, so controllers cannot know that it is yours. It is valid for ${SELF_SIGNED_DAYS} days.`,
      'To use it:',
      '',
      `  UNWRITE_PROCESSOR_KEY_FILE=${paths.key}`,
      `  UNWRITE_PROCESSOR_CERTIFICATE_FILE=${paths.other}`,
    );
    return;
  }
  printLines(
    `Request: ${paths.other}`,
    '',
    'Send the request, never the key, to a certificate authority that your controllers trust. Put what it issues into',
    'one PEM file, your certificate first and then its chain, and set:',
    '',
    `  UNWRITE_PROCESSOR_KEY_FILE=${paths.key}`,
    '  UNWRITE_PROCESSOR_CERTIFICATE_FILE=<that file>',
  );
}

/** Both or none; a key that exists may be in use, and is never overwritten. */
function writeBoth(first: readonly [string, string], second: readonly [string, string]): void {
  const folder = dirname(first[0]);
  if (!existsSync(folder)) throw new CommandFailure(`there is no folder ${folder}; make it first`);
  for (const [path] of [first, second]) {
    if (existsSync(path)) {
      throw new CommandFailure(`${path} exists; move it away, or give another --folder`);
    }
  }
  const written: string[] = [];
  try {
    for (const [path, text] of [first, second]) {
      writeSynced(path, text, 'wx');
      written.push(path);
    }
    syncFolder(folder);
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`${first[0]} and ${second[0]} cannot be written (${code})`);
  }
}

function readDomain(value: string): string {
  if (!HOST_NAME.test(value)) {
    throw new InvalidArgumentError(
      'It must be a host name in lower case, such as erase.example.com.',
    );
  }
  return value;
}
