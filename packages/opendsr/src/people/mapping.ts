// Which columns hold what. Other columns are not read.
import type { OpenDsrIdentity } from '@unwrite/client';
import { usageFailure } from '../failure.ts';

export interface IdentityColumn {
  readonly type: string;
  readonly format: string;
  readonly column: string;
}

export interface Mapping {
  readonly identities: readonly IdentityColumn[];
  readonly submittedTime: string;
  readonly regulation: string;
}

/** OpenDSR 5.1 and 5.2. */
const TYPES = [
  'email',
  'controller_customer_id',
  'android_advertising_id',
  'android_id',
  'fire_advertising_id',
  'ios_advertising_id',
  'ios_vendor_id',
  'microsoft_advertising_id',
  'microsoft_publisher_id',
  'roku_publisher_id',
  'roku_advertising_id',
];
const FORMATS = ['raw', 'sha1', 'md5', 'sha256'];
const OTHERS = ['submitted_time', 'regulation'] as const;

/** From `--map email=E-Mail`, `--map email:sha256=hash`, `--map submitted_time=date`. */
export function readMapping(given: readonly string[]): Mapping {
  const identities: IdentityColumn[] = [];
  const others: Partial<Record<string, string>> = {};
  for (const text of given) {
    const [, what = '', format = 'raw', column = ''] =
      /^([^=:]+)(?::([^=]+))?=(.+)$/s.exec(text) ?? [];
    const isTwice =
      what in others ||
      identities.some((it) => it.type === what && it.format === format && it.column === column);
    if (isTwice) throw usageFailure(`--map says twice which column ${what} is`);
    if (OTHERS.some((it) => it === what) && format === 'raw') others[what] = column;
    else if (TYPES.includes(what) && FORMATS.includes(format)) {
      identities.push({ type: what, format, column });
    } else {
      throw usageFailure(
        `--map must be <what>=<column>, where <what> is ${OTHERS.join(', ')} or a type of identity with an optional format (${FORMATS.join(', ')}), such as email=E-Mail or email:sha256=hash; types are ${TYPES.join(', ')}`,
      );
    }
  }
  return {
    identities:
      identities.length > 0
        ? identities
        : TYPES.map((type) => ({ type, format: 'raw', column: type })),
    submittedTime: others.submitted_time ?? 'submitted_time',
    regulation: others.regulation ?? 'regulation',
  };
}

/** The names that were asked for, and are not there; none where all were only defaults. */
export function missingColumns(
  mapping: Mapping,
  given: readonly string[],
  columns: readonly string[],
): string[] {
  const asked = given.map((text) => text.slice(text.indexOf('=') + 1));
  const known = mapping.identities.some(({ column }) => columns.includes(column));
  const missing = asked.filter((column) => !columns.includes(column));
  return known || missing.length > 0 ? missing : mapping.identities.map(({ column }) => column);
}

/** Zero-width spaces and the like come along when a value is copied: the person would not be found. Not the joiners of scripts. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/u;
const MAX_LENGTH = 1024;

/** A text instead of an identity says what is wrong with the value, without the value. */
export function identityOf(
  { type, format, column }: IdentityColumn,
  value: string,
): OpenDsrIdentity | string {
  if (value.trim() !== value) return `${column} has white space at an end`;
  if (INVISIBLE.test(value)) return `${column} has an invisible character`;
  if ([...value].length > MAX_LENGTH) return `${column} has more than ${MAX_LENGTH} characters`;
  return {
    identity_type: type as OpenDsrIdentity['identity_type'],
    identity_value: value,
    identity_format: format as OpenDsrIdentity['identity_format'],
  };
}
