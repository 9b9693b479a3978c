import type { HttpAuth, HttpTargetConfig } from '../../domain/target/target.ts';
import { duration, oneOf, text } from '../kinds.ts';
import { BadValue, type PlainKind } from '../setting.ts';
import { allowPrivate, webhookSecret } from '../special-kinds.ts';
import { readCommon, readControllers, type Undigested } from './common-fields.ts';
import type { Fields } from './fields.ts';

/** The value of a header, in which a line break would end the header. */
export const AUTH_WORD = text(/^[\x21-\x7e]+$/, 'one word of visible ASCII characters');

const AUTH_NAMES = ['bearer', 'basic', 'hmac'] as const;

export const httpVerify = oneOf('requery', 'none');
export const callTimeout = duration('1s', '10m');
export const pollTimeout = duration('1s', '1d');

export function readHttpTarget(name: string, target: Fields): Undigested<HttpTargetConfig> {
  return {
    ...readCommon(name, target),
    connector: 'http',
    controllers: readControllers(target),
    url: target.need('url', httpUrl, ''),
    auth: readAuth(target),
    verify: target.read('verify', httpVerify, 'requery'),
    allowPrivate: target.read('allow_private', allowPrivate, false),
    timeout: target.read('timeout', callTimeout, 10) * 1000,
    pollTimeout: target.read('poll_timeout', pollTimeout, 600) * 1000,
  };
}

function readAuth(target: Fields): HttpAuth {
  const given = AUTH_NAMES.filter((way) => target.has(way));
  if (given.length > 1) {
    target.problems.add(target.place, `has ${given.join(' and ')}; keep one of them`);
  }
  switch (given[0]) {
    case 'bearer':
      return { kind: 'bearer', token: target.read('bearer', AUTH_WORD, '') };
    case 'hmac':
      return { kind: 'hmac', secret: target.read('hmac', webhookSecret, '') };
    case 'basic':
      return readBasic(target);
    default:
      return { kind: 'none' };
  }
}

export function readBasic(target: Fields): Extract<HttpAuth, { kind: 'basic' }> {
  const basic = target.below('basic');
  basic.refuseOthersThan(['username', 'password']);
  return {
    kind: 'basic',
    username: basic.need('username', text(), ''),
    password: basic.need('password', text(), ''),
  };
}

export const httpUrl: PlainKind<string> = {
  schema: { type: 'string' },
  write: () => '********',
  read(raw) {
    const value = text().read(raw);
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw new BadValue('must be an address such as https://crm.example.com/erase');
    }
    if (url.username !== '' || url.password !== '') {
      throw new BadValue('must be without user and password; give them by "basic"');
    }
    if (url.hash !== '') throw new BadValue('must be without "#"');
    return value;
  },
};
