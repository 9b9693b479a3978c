import { describe, expect, it } from 'vitest';
import type { StoredMasterKey } from '../../../src/domain/keys/key-ports.ts';
import {
  currentMasterKey,
  destroyableFrom,
  keysToDestroy,
  keysToLeave,
} from '../../../src/domain/keys/master-keys.ts';

function key(masterKeyId: string, changes: Partial<StoredMasterKey> = {}): StoredMasterKey {
  const never = {
    madeNo: 0,
    generation: null,
    adoptedTime: null,
    retiredTime: null,
    destroyedTime: null,
    undestroyedTime: null,
  };
  return { masterKeyId, createdTime: 0, ...never, ...changes };
}

const ids = (keys: readonly StoredMasterKey[]) => keys.map(({ masterKeyId }) => masterKeyId);

describe('master keys', () => {
  it('the current one is the one that the server adopted last, even if others were made since', () => {
    const old = key('old', { generation: 10, adoptedTime: 900 });
    const made = key('made', { madeNo: 20 });
    expect(currentMasterKey([old, made])).toBe(old);
    expect(currentMasterKey([old, { ...made, generation: 30, adoptedTime: 30 }])?.masterKeyId).toBe(
      'made',
    );
    expect(currentMasterKey([key('new')])).toBeUndefined();
  });

  it('a key that is not adopted yet is kept, and keys before the current one are retired', () => {
    const first = key('first');
    const second = key('second', { madeNo: 20, generation: 30 });
    const third = key('third', { madeNo: 40 });
    expect(ids(keysToLeave([first, second, third]))).toEqual(['first']);
    expect(ids(keysToLeave([{ ...first, retiredTime: 31 }, second, third]))).toEqual([]);
    expect(ids(keysToLeave([first, second, { ...third, generation: 50 }]))).toEqual([
      'first',
      'second',
    ]);
    expect(keysToLeave([first])).toEqual([]);
  });

  it('a retired one may be destroyed when the last backup that needs it is gone', () => {
    const retired = key('retired', { adoptedTime: 0, retiredTime: 1000 });
    expect(destroyableFrom(retired, 86_400_000)).toBe(86_401_000);
    expect(destroyableFrom(key('current'), 0)).toBeNull();
    expect(keysToDestroy([retired], 86_400_000, 86_400_999)).toEqual([]);
    expect(keysToDestroy([retired], 86_400_000, 86_401_000)).toEqual([retired]);
    expect(keysToDestroy([{ ...retired, destroyedTime: 5 }], 0, 86_401_000)).toEqual([]);
  });

  it('no key is destroyed within a minute: a command that began earlier may still seal with it', () => {
    const retired = key('retired', { retiredTime: 1000 });
    expect(destroyableFrom(retired, 0)).toBe(61_000);
  });

  it('one that could not be destroyed is tried again after a day', () => {
    const tried = key('tried', { retiredTime: 0, undestroyedTime: 100_000 });
    expect(keysToDestroy([tried], 0, 100_000 + 86_399_999)).toEqual([]);
    expect(keysToDestroy([tried], 0, 100_000 + 86_400_000)).toEqual([tried]);
  });
});
