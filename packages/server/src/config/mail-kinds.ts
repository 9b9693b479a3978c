// The settings of e-mail. The address of a mail server contains its password.
import { BadValue, type PlainKind } from './setting.ts';
import { hasPassword, withoutPassword } from './store-kind.ts';

export const mailServer: PlainKind<string> = {
  schema: { type: 'string', examples: ['smtps://unwrite@mail.example.com'] },
  write: String,
  mask: withoutPassword,
  holdsSecret: (raw) => hasPassword(String(raw)),
  read(raw) {
    const url = URL.parse(String(raw).trim());
    // Never quoted: it may be a password with a typing error.
    if (
      url === null ||
      !/^smtps?:$/.test(url.protocol) ||
      url.hostname === '' ||
      !/^\/?$/.test(url.pathname) ||
      url.search !== '' ||
      (url.username === '') !== (url.password === '')
    ) {
      throw new BadValue(
        'must be an address such as smtps://user:password@mail.example.com:465, or smtp://mail.example.com without a password',
      );
    }
    return url.href;
  },
};

/** Also with a name: `Unwrite <unwrite@example.com>`. A comma would begin another address. */
const ADDRESS = /^(?:[^<>@,\r\n]{1,100} <[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/;

export const mailAddress: PlainKind<string> = {
  schema: { type: 'string', examples: ['unwrite@example.com'] },
  write: String,
  read(raw) {
    const value = String(raw).trim();
    if (!ADDRESS.test(value)) throw new BadValue('must be an e-mail address');
    return value;
  },
};

export const mailAddresses: PlainKind<readonly string[]> = {
  schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  write: (addresses) => addresses.join(', '),
  read(raw) {
    const given = Array.isArray(raw) ? raw : String(raw).split(',');
    return given.map((one) => mailAddress.read(one));
  },
};
