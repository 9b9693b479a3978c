// When our own keys are replaced. The master key belongs to the operator.
import { duration } from './kinds.ts';
import { setting } from './setting.ts';

export const KEY_SETTINGS = {
  signingKeyRotation: setting(
    'signing_key_rotation',
    duration('1d', '3650d'),
    'Age at which the key that signs tokens is replaced',
    '90d',
  ),
  proofKeyRotation: setting(
    'proof_key_rotation',
    duration('1d', '3650d'),
    'Age at which the key that signs receipts and the audit log is replaced',
    '365d',
  ),
  digestKeyRotation: setting(
    'digest_key_rotation',
    duration('1d', '3650d'),
    'Age at which the key for identity digests is replaced',
    '91d',
  ),
} as const;
