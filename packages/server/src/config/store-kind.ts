// The `store` setting. The address of a database contains its password.
import { BadValue, type PlainKind } from './setting.ts';

export const SQLITE = 'sqlite';

const EXPECTED =
  'must be sqlite, or an address such as postgres://unwrite:password@db.example.com/unwrite?sslmode=verify-full';
export const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

export const store: PlainKind<string> = {
  schema: { type: 'string', examples: [SQLITE, 'postgres://unwrite@db.example.com/unwrite'] },
  write: String,
  mask: withoutPassword,
  holdsSecret: (raw) => hasPassword(String(raw)),
  read(raw) {
    const value = typeof raw === 'string' ? raw.trim() : '';
    if (value === SQLITE) return value;
    const url = URL.parse(value);
    // Never quoted: it may be a password with a typing error.
    if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '') {
      throw new BadValue(EXPECTED);
    }
    if (url.pathname.length < 2) throw new BadValue('must name a database after the last slash');
    for (const [name, given] of url.searchParams) {
      if (!PARAMETERS.includes(name)) {
        throw new BadValue(`has the parameter ${name}; known are ${PARAMETERS.join(', ')}`);
      }
      if (name === 'sslmode' && !TLS_MODES.includes(given)) {
        throw new BadValue(`has an sslmode that is not one of: ${TLS_MODES.join(', ')}`);
      }
    }
    return value;
  },
};

/** The address without its password, for `config show` and logs. */
export function withoutPassword(value: string): string {
  const url = URL.parse(value);
  if (url === null) return value;
  if (url.password !== '') url.password = '********';
  return url.href;
}

/** As other programs take it: `?password=…` in an address, or `host=… password=…`. */
const PASSWORD_PARAMETER = /\bpassword\s*=/i;

/** Also true for text that is not a valid address: it may be one with a typing error. */
export function hasPassword(value: string): boolean {
  if (PASSWORD_PARAMETER.test(value)) return true;
  const url = URL.parse(value);
  if (url === null || url.hostname === '') return /:[^/@:]*@/.test(value);
  return url.password !== '';
}
