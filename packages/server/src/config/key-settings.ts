// When our own keys are replaced, and the master key, which belongs to the operator.
import { duration, text } from './kinds.ts';
import { setting } from './setting.ts';
import { masterKey, masterKeys } from './special-kinds.ts';

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

export const MASTER_KEY_SETTINGS = {
  masterKey: setting(
    'master_key',
    masterKey,
    'Key that seals identities: 32 bytes in base64 or hexadecimal, or the text of a master key file',
    'from master_key_file',
    {
      secret: true,
    },
  ),
  masterKeyPrevious: setting(
    'master_key_previous',
    masterKeys,
    'Earlier master keys, separated by commas: they still decrypt what was sealed before',
    'those in master_key_file',
    { secret: true },
  ),
  masterKeyFile: setting(
    'master_key_file',
    text(),
    'File of the master key; made on the first start',
    'master.key in data_dir',
  ),
} as const;
