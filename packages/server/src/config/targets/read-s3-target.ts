import { IDENTITY_TYPES } from '@unwrite/protocol';
import { FILTERS, fillText, placeholdersIn } from '../../domain/recipe/placeholders.ts';
import { type AnyType, isInternal } from '../../domain/request/identity.ts';
import type { S3Objects, S3TargetConfig } from '../../domain/target/target.ts';
import { flag, text } from '../kinds.ts';
import { allowPrivate } from '../special-kinds.ts';
import { readCommon, readControllers, type Undigested } from './common-fields.ts';
import type { Fields } from './fields.ts';
import { AUTH_WORD, callTimeout, httpUrl } from './read-http-target.ts';
import { readIsShared } from './read-opendsr-target.ts';

const DEFAULTS = { batchSize: 20, concurrency: 1 };
const OBJECT_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const CONTROLLER = 'controller_id';

export function readS3Target(name: string, target: Fields): Undigested<S3TargetConfig> {
  const controllers = readControllers(target);
  const objects = readObjects(target);
  const isByKey = objects.every(({ key }) =>
    placeholdersIn(key).some((used) => used.name === CONTROLLER),
  );
  if (isByKey && target.has('tenancy'))
    target.problem('tenancy', 'is not needed: {controller_id} in the keys keeps controllers apart');
  return {
    ...readCommon(name, target, DEFAULTS),
    connector: 's3',
    controllers,
    url: target.need('url', httpUrl, ''),
    account: {
      region: target.read('region', AUTH_WORD, 'us-east-1'),
      accessKey: target.need('access_key', AUTH_WORD, ''),
      secretKey: target.need('secret_key', AUTH_WORD, ''),
      sessionToken: target.read<string | null>('session_token', AUTH_WORD, null),
    },
    objects,
    hasVersions: target.read('versions', flag, true),
    isShared: !isByKey && readIsShared(target, controllers?.length),
    allowPrivate: target.read('allow_private', allowPrivate, false),
    timeout: target.read('timeout', callTimeout, 30) * 1000,
  };
}

function readObjects(target: Fields): S3Objects[] {
  const objects = target.below('objects');
  const names = Object.keys(objects.values);
  if (names.length === 0)
    target.problem('objects', 'must name keys with an identity, such as avatars: users/{email}/');
  return names.map((name) => {
    const key = objects.need(name, text(), '');
    const problem = (message: string) => objects.problem(name, message);
    if (!OBJECT_NAME.test(name)) problem('must be a name of small letters, digits, _ and -');
    const used = placeholdersIn(key);
    const types = used.flatMap(({ name: one }) => (isIdentity(one) ? one : []));
    const [type = 'email'] = types;
    if (types.length !== 1)
      problem(
        `must have one identity in the key: ${[...IDENTITY_TYPES, 'internal.<name>'].map((one) => `{${one}}`).join(' or ')}`,
      );
    for (const { name: other, filters } of used) {
      if (other !== CONTROLLER && !isIdentity(other)) problem(`{${other}} is not known here`);
      for (const filter of filters)
        if (!FILTERS.some((known) => known === filter))
          problem(`${filter} is not a filter; there is ${FILTERS.join(', ')}`);
    }
    if (/[{}]/.test(fillText(key, Object.fromEntries(used.map((one) => [one.name, ''])))))
      problem('has braces that are no placeholder: write it in small letters, without spaces');
    // Otherwise acme + "x-7" and acme-x + "7" would be one key.
    if (key.split('/').some((part) => placeholdersIn(part).length > 1))
      problem('has two placeholders with no "/" between them, which other people could share');
    return { name, key, type };
  });
}

const isIdentity = (name: string): name is AnyType =>
  IDENTITY_TYPES.some((type) => type === name) || isInternal(name);
