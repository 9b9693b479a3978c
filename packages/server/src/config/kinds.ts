// Reads single values; each kind says what it expects if it gets something else.
import { BadValue, type PlainKind } from './setting.ts';

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

function scalar(raw: unknown): string {
  if (typeof raw === 'string') return raw.trim();
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw);
  throw new BadValue('must be a single value');
}

export function text(check?: RegExp, expected?: string): PlainKind<string> {
  return {
    schema: { type: 'string' },
    write: String,
    read(raw) {
      const value = scalar(raw);
      if (value === '') throw new BadValue('must not be empty');
      if (check && !check.test(value)) throw new BadValue(`must be ${expected}`);
      return value;
    },
  };
}

export function oneOf<T extends string>(...values: readonly T[]): PlainKind<T> {
  return {
    schema: { enum: values },
    write: String,
    read(raw) {
      const value = scalar(raw);
      const found = values.find((candidate) => candidate === value);
      if (found === undefined) throw new BadValue(`must be one of: ${values.join(', ')}`);
      return found;
    },
  };
}

export function wholeNumber(min: number, max: number): PlainKind<number> {
  return {
    schema: { type: 'integer', minimum: min, maximum: max },
    write: String,
    read(raw) {
      const value = scalar(raw);
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < min || number > max) {
        throw new BadValue(`must be a whole number from ${min} to ${max}`);
      }
      return number;
    },
  };
}

/** Null if the value is `off`. */
export function orOff<T>(kind: PlainKind<T>): PlainKind<T | null> {
  return {
    schema: { oneOf: [kind.schema, { const: 'off' }, { const: false }] },
    write: (value) => (value === null ? 'off' : kind.write(value)),
    read(raw) {
      // YAML 1.1 readers turn a bare `off` into false.
      if (raw === false || raw === 'off' || raw === 'false') return null;
      try {
        return kind.read(raw);
      } catch (error) {
        throw error instanceof BadValue ? new BadValue(`${error.message}, or off`) : error;
      }
    },
  };
}

/** Seconds. Written `90s`, `15m`, `24h` or `7d`; a bare number is seconds. */
export function duration(min: string, max: string): PlainKind<number> {
  const [from, to] = [readDuration(min), readDuration(max)];
  return {
    schema: { type: ['string', 'integer'], pattern: '^\\d+[smhd]?$', examples: ['90s', '24h'] },
    write: writeDuration,
    read(raw) {
      const seconds = readDuration(scalar(raw));
      if (seconds === undefined) {
        throw new BadValue('must be a duration such as 90s, 15m, 24h or 7d');
      }
      if (from !== undefined && to !== undefined && (seconds < from || seconds > to)) {
        throw new BadValue(`must be from ${min} to ${max}`);
      }
      return seconds;
    },
  };
}

function readDuration(value: string): number | undefined {
  const match = /^(\d{1,9})([smhd]?)$/.exec(value);
  if (match === null) return undefined;
  return Number(match[1]) * (SECONDS[match[2] || 's'] ?? 1);
}

function writeDuration(seconds: number): string {
  for (const unit of ['d', 'h', 'm']) {
    const size = SECONDS[unit] ?? 1;
    if (seconds > 0 && seconds % size === 0) return `${seconds / size}${unit}`;
  }
  return `${seconds}s`;
}

const BYTES: Record<string, number> = { '': 1, KiB: 1024, MiB: 1_048_576, GiB: 1_073_741_824 };

/** Bytes. Written `512KiB`, `128MiB` or `1GiB`; a bare number is bytes. */
export function bytes(min: string, max: string): PlainKind<number> {
  return {
    schema: { type: ['string', 'integer'], pattern: '^\\d+([KMG]iB)?$', examples: ['128MiB'] },
    write: writeBytes,
    read(raw) {
      const count = readBytes(scalar(raw));
      if (count === undefined) throw new BadValue('must be a size such as 512KiB, 128MiB or 1GiB');
      if (count < (readBytes(min) ?? 0) || count > (readBytes(max) ?? 0)) {
        throw new BadValue(`must be from ${min} to ${max}`);
      }
      return count;
    },
  };
}

function readBytes(value: string): number | undefined {
  const match = /^(\d{1,12})((?:[KMG]iB)?)$/.exec(value);
  return match === null ? undefined : Number(match[1]) * (BYTES[match[2] ?? ''] ?? 1);
}

function writeBytes(count: number): string {
  const unit = ['GiB', 'MiB', 'KiB'].find((it) => count % (BYTES[it] ?? 1) === 0) ?? '';
  return `${count / (BYTES[unit] ?? 1)}${unit}`;
}

export const flag: PlainKind<boolean> = {
  schema: { type: 'boolean' },
  write: String,
  read(raw) {
    const value = scalar(raw).toLowerCase();
    if (['true', 'yes', 'on', '1'].includes(value)) return true;
    if (['false', 'no', 'off', '0'].includes(value)) return false;
    throw new BadValue('must be true or false');
  },
};

/** An http(s) address without path, query or credentials, as an origin: no slash at its end. */
export const origin: PlainKind<string> = {
  schema: { type: 'string', format: 'uri' },
  write: String,
  read(raw) {
    const value = scalar(raw);
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw new BadValue('must be an address such as https://erase.example.com');
    }
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
      throw new BadValue('must be an address without path, query and credentials');
    }
    return url.origin;
  },
};

/** A whole http(s) address; a user and password in it would end up in `config show`. */
export const address: PlainKind<string> = {
  schema: { type: 'string', format: 'uri' },
  write: String,
  read(raw) {
    const url = URL.parse(scalar(raw));
    if (
      url === null ||
      !/^https?:$/.test(url.protocol) ||
      url.username !== '' ||
      url.password !== ''
    ) {
      throw new BadValue(
        'must be an address such as https://alarms.example.com/unwrite, without user and password',
      );
    }
    return url.href;
  },
};
