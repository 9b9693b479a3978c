import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { IDENTITY_TYPES, type IdentityType } from '@unwrite/protocol';
import type { OpendsrTargetConfig, SignedBy } from '../../domain/target/called-targets.ts';
import { duration, text } from '../kinds.ts';
import { allowPrivate } from '../special-kinds.ts';
import { readCommon, readControllers, type Undigested } from './common-fields.ts';
import type { Fields } from './fields.ts';
import { AUTH_WORD, callTimeout, httpUrl, readBasic } from './read-http-target.ts';

/** At most six hours, after which a worker that looks is never far. */
export const lookAgain = duration('1s', '6h');
const requestsPath = text(/^\/[A-Za-z0-9/_.-]*$/, 'a path that begins with "/"');

/** Calls for one person take seconds. */
const DEFAULTS = { batchSize: 20, concurrency: 1 };
const WAYS = ['oauth', 'bearer', 'basic'] as const;

export function readOpendsrTarget(
  name: string,
  target: Fields,
  directory: string,
): Undigested<OpendsrTargetConfig> {
  const controllers = readControllers(target);
  return {
    ...readCommon(name, target, DEFAULTS),
    connector: 'opendsr',
    controllers,
    url: target.need('url', httpUrl, ''),
    requestsPath: target.read('requests_path', requestsPath, '/requests'),
    auth: readAuth(target),
    isShared: readIsShared(target, controllers?.length),
    identities: readTypes(target),
    signed: target.has('signed') ? readSigned(target.below('signed'), directory) : null,
    allowPrivate: target.read('allow_private', allowPrivate, false),
    timeout: target.read('timeout', callTimeout, 30) * 1000,
    lookAgain: target.read('look_again', lookAgain, 3600) * 1000,
  };
}

/** There we are one controller: a customer id, and a person, may be those of several controllers here. */
export function readIsShared(target: Fields, controllers: number | undefined): boolean {
  if (target.has('tenancy')) {
    if (target.values.tenancy !== 'none') target.problem('tenancy', 'can only be none');
    return true;
  }
  if (controllers !== 1)
    target.problems.add(
      target.place,
      'needs "controllers" with the one controller whose people are known there; a target for each controller, with credentials of its own, keeps them apart. If it does not tell them apart: tenancy: none',
    );
  return false;
}

function readTypes(target: Fields): readonly IdentityType[] {
  if (!target.has('identities')) return IDENTITY_TYPES;
  const given = target.items('identities');
  const types = IDENTITY_TYPES.filter((type) => given.includes(type));
  if (types.length < given.length || types.length === 0)
    target.problem('identities', `must be a list of ${IDENTITY_TYPES.join(', ')}`);
  return types;
}

function readAuth(target: Fields): OpendsrTargetConfig['auth'] {
  const given = WAYS.filter((way) => target.has(way));
  if (given.length !== 1)
    target.problems.add(
      target.place,
      given.length === 0
        ? 'needs one of oauth, bearer and basic'
        : `has ${given.join(' and ')}; keep one of them`,
    );
  switch (given[0]) {
    case 'bearer':
      return { kind: 'bearer', token: target.read('bearer', AUTH_WORD, '') };
    case 'basic':
      return readBasic(target);
    default: {
      const oauth = target.below('oauth');
      oauth.refuseOthersThan(['token_url', 'client_id', 'client_secret', 'audience']);
      if (given.length === 0) return NO_AUTH;
      return {
        kind: 'oauth',
        tokenUrl: oauth.need('token_url', httpUrl, ''),
        clientId: oauth.need('client_id', text(), ''),
        clientSecret: oauth.need('client_secret', text(), ''),
        audience: oauth.need('audience', text(), ''),
      };
    }
  }
}

/** Beside a problem: never used. */
const NO_AUTH = { kind: 'bearer', token: '' } as const;

function readSigned(signed: Fields, directory: string): SignedBy {
  signed.refuseOthersThan(['domain', 'certificate']);
  const domain = signed.need('domain', text(), '');
  const given = signed.need('certificate', text(), '');
  return { domain, publicKey: given === '' ? '' : readKey(signed, resolve(directory, given)) };
}

function readKey(signed: Fields, file: string): string {
  try {
    const { publicKey } = new X509Certificate(readFileSync(file));
    return String(publicKey.export({ type: 'spki', format: 'pem' }));
  } catch {
    signed.problem(
      'certificate',
      `there is no certificate in PEM in ${file}; paths start at the configuration file's folder`,
    );
    return '';
  }
}
