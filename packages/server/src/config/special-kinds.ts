// Kinds of values with their own syntax.
import { isIP } from 'node:net';
import { BadValue, type Kind, type PlainKind } from './setting.ts';

const MASTER_KEY = /^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

/** One key, or the text of a master key file: lines that begin with # are comments. */
export const masterKey: PlainKind<string> = {
  schema: { type: 'string' },
  write: String,
  read(raw) {
    const text = String(raw);
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
    if (keys.length === 0 || !keys.every((key) => MASTER_KEY.test(key))) {
      throw new BadValue(
        'must be 32 bytes in base64 or hexadecimal; `openssl rand -base64 32` makes one',
      );
    }
    return text.trim();
  },
};

/** One or more blocks of PEM with this label, or one that ends with it: `EC PRIVATE KEY`. */
export function pem(label: string): PlainKind<string> {
  const begin = new RegExp(`^-----BEGIN ([A-Z0-9]+ )*${label}-----$`, 'm');
  return {
    schema: { type: 'string' },
    // One line of a table is no place for all of it.
    write: (text) => `${text.split('\n', 1)[0]}…`,
    read(raw) {
      const text = String(raw).replaceAll('\r\n', '\n').trim();
      if (!begin.test(text)) throw new BadValue(`must be PEM: -----BEGIN ${label}----- and so on`);
      return text;
    },
  };
}

export const masterKeys: Kind<readonly string[]> = {
  schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  write: (keys) => keys.join(','),
  read(raw) {
    const list = Array.isArray(raw) ? raw.map(String) : String(raw).split(/[\s,]+/);
    const keys = list.filter((key) => key !== '');
    if (keys.length === 0 || !keys.every((key) => MASTER_KEY.test(key))) {
      throw new BadValue('must be keys of 32 bytes in base64 or hexadecimal, separated by commas');
    }
    return keys;
  },
};

/** Requests a minute for each controller; null means no limit. */
export const rateLimit: Kind<number | null> = {
  schema: { oneOf: [{ type: 'integer', minimum: 1 }, { const: 'off' }, { const: false }] },
  write: (value) => (value === null ? 'off' : String(value)),
  read(raw) {
    // YAML 1.1 readers turn a bare `off` into false.
    if (raw === 'off' || raw === false || raw === 'false') return null;
    if (!/^[1-9]\d{0,8}$/.test(String(raw)) || Array.isArray(raw)) {
      throw new BadValue('must be a number of requests a minute, or off');
    }
    return Number(raw);
  },
};

export type TrustProxy = false | number | string[];

/** Whose X-Forwarded-For is trusted: none, that of a number of hops, or that of these addresses. */
export const trustProxy: Kind<TrustProxy> = {
  schema: {
    oneOf: [
      { const: false },
      { const: 'off' },
      { type: 'integer', minimum: 1, maximum: 10 },
      { type: 'string' },
      { type: 'array', items: { type: 'string' } },
    ],
  },
  write: (value) =>
    value === false ? 'off' : typeof value === 'number' ? String(value) : value.join(','),
  read(raw) {
    if (raw === false || raw === 'off' || raw === 'false') return false;
    if (/^\d+$/.test(String(raw))) {
      const hops = Number(raw);
      if (hops === 0) return false;
      if (hops <= 10) return hops;
    }
    const list = Array.isArray(raw) ? raw.map(String) : String(raw).split(',');
    const networks = list.map((item) => item.trim());
    if (!networks.every(isNetwork)) {
      throw new BadValue(
        'must be off, a number of proxies (1 to 10), or a list of addresses and networks such as 10.0.0.0/8',
      );
    }
    return networks;
  },
};

function isNetwork(item: string): boolean {
  return item === 'loopback' || isAddressOrNetwork(item);
}

/** `10.0.0.1`, `10.0.0.0/8`, `::1`. */
export function isAddressOrNetwork(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** Whether private addresses may be called, or which; as text separated by commas. */
export const allowPrivate: PlainKind<boolean | readonly string[]> = {
  schema: { oneOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' } }] },
  write: String,
  read(raw) {
    if (typeof raw === 'boolean') return raw;
    if (raw === 'true' || raw === 'false') return raw === 'true';
    const networks = (Array.isArray(raw) ? raw : String(raw).split(/[\s,]+/)).map(String);
    if (networks.length === 0 || !networks.every(isAddressOrNetwork)) {
      throw new BadValue(
        'must be true, false or a list of addresses and networks such as 10.0.0.0/8',
      );
    }
    return networks;
  },
};

/** Milliseconds after midnight. */
export const timeOfDay: PlainKind<number> = {
  schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
  write: (ms) => new Date(ms).toISOString().slice(11, 16),
  read(raw) {
    const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(String(raw).trim()) ?? [];
    if (hours === undefined) throw new BadValue('must be a time of day such as 08:00');
    return (Number(hours) * 60 + Number(minutes)) * 60_000;
  },
};

const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** Of the form that the Standard Webhooks specification gives to a shared secret. */
export const webhookSecret: PlainKind<string> = {
  schema: { type: 'string' },
  write: String,
  read(raw) {
    const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(String(raw).trim()) ?? [];
    const { length } = Buffer.from(base64 ?? '', 'base64');
    if (base64 === undefined || length < MIN_SECRET_BYTES || length > MAX_SECRET_BYTES) {
      throw new BadValue(
        'must be whsec_ and 24 to 64 bytes in base64; `echo whsec_$(openssl rand -base64 32)` makes one',
      );
    }
    return `whsec_${base64}`;
  },
};
