// Sets aside a wrapped key that cannot be decrypted: its bytes stay, after the id of its master key, so that it
// can be tried again while that master key exists; it does not keep a master key from being retired.
import type { WrappedKey } from '../domain/keys/key-ports.ts';

const MARK = 'unreadable under ';

export function isSetAside({ wrappedKey }: WrappedKey): boolean {
  return Buffer.from(wrappedKey.subarray(0, MARK.length)).toString('latin1') === MARK;
}

/** From now on it counts for the current master key, although that key cannot decrypt it. */
export function setAside({ masterKeyId, wrappedKey }: WrappedKey, currentId: string): WrappedKey {
  const mark = Buffer.from(`${MARK}${masterKeyId}:`, 'latin1');
  return { masterKeyId: currentId, wrappedKey: Buffer.concat([mark, wrappedKey]) };
}

/** The key before it was set aside. */
export function beforeSetAside(key: WrappedKey): WrappedKey {
  const { wrappedKey } = key;
  const end = wrappedKey.indexOf(0x3a);
  if (!isSetAside(key) || end < 0) return key;
  const masterKeyId = Buffer.from(wrappedKey.subarray(MARK.length, end)).toString('latin1');
  return { masterKeyId, wrappedKey: wrappedKey.subarray(end + 1) };
}
