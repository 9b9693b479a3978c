// People who do not exist: nobody is named under .invalid, and nobody has an id that was made a moment ago.
import { createHash, randomUUID } from 'node:crypto';

export interface TestIdentity {
  readonly identity_type: string;
  readonly identity_value: string;
  readonly identity_format: string;
}

const EMAIL = { identity_type: 'email', identity_format: 'raw' };

/** Of a type and format that discovery lists: an email, if that is one of them. */
export function makePerson(listed: unknown): TestIdentity {
  const known = (Array.isArray(listed) ? listed : []).filter(
    (it) => typeof it?.identity_type === 'string' && typeof it?.identity_format === 'string',
  ) as (typeof EMAIL)[];
  const isEmail = (it: typeof EMAIL) =>
    it.identity_type === 'email' && it.identity_format === 'raw';
  const { identity_type, identity_format } = known.find(isEmail) ?? known[0] ?? EMAIL;
  const raw = rawValue(identity_type);
  const isHash = ['sha1', 'md5', 'sha256'].includes(identity_format);
  const identity_value = isHash ? createHash(identity_format).update(raw).digest('hex') : raw;
  return { identity_type, identity_value, identity_format };
}

/** Other types are ids of devices, which are UUIDs. */
function rawValue(type: string): string {
  const name = `conformance-${randomUUID()}`;
  if (type === 'email') return `${name}@opendsr.invalid`;
  return type === 'controller_customer_id' ? `${name}.invalid` : randomUUID();
}
