// What every store must do for signing keys, master keys and secrets of our own.
import { describe } from 'vitest';
import { describeFirstKeys } from './records/first-key-cases.ts';
import { describeRotation } from './records/rotation-cases.ts';
import { describeSigningKeys } from './records/signing-key-cases.ts';
import type { OpenRecords } from './records/under-test.ts';
import { useRecords } from './records/use-records.ts';

export function describeKeys(name: string, openRecords: OpenRecords): void {
  describe(`keys in ${name}`, () => {
    const use = useRecords(openRecords);
    describe('that sign tokens', () => describeSigningKeys(use));
    describe('the first master key', () => describeFirstKeys(use));
    describe('a rotation', () => describeRotation(use));
  });
}
