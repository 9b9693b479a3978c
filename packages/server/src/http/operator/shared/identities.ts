// Identities in bodies: never in a path or a query string, which are logged by proxies.
import {
  IDENTITY_TYPES,
  type IdentityType,
  MAX_IDENTITIES,
  MAX_IDENTITY_LENGTH,
} from '@unwrite/protocol';
import type { Identity } from '../../../domain/request/identity.ts';
import { makeIdentities } from '../../../operator/request/make-identities.ts';

export const identitiesSchema = {
  type: 'array',
  maxItems: MAX_IDENTITIES,
  items: {
    type: 'object',
    required: ['identity_type', 'identity_value', 'identity_format'],
    properties: {
      identity_type: { enum: IDENTITY_TYPES },
      identity_value: { type: 'string', minLength: 1, maxLength: MAX_IDENTITY_LENGTH },
      identity_format: { const: 'raw' },
    },
  },
} as const;

export function identitiesOf(
  given: readonly { readonly identity_type: IdentityType; readonly identity_value: string }[],
): Identity[] {
  return makeIdentities(
    given.map(({ identity_type: type, identity_value: value }) => ({ type, value })),
  );
}
