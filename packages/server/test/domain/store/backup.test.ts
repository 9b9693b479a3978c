import { expect, it } from 'vitest';
import {
  backupNameOf,
  expiredBackups,
  isLeftPart,
  readBackupName,
} from '../../../src/domain/store/backup.ts';

const DAY = 86_400_000;
const NOON = Date.parse('2026-11-18T12:00:00Z');
const STORE = '0123456789ab';

it('a name says when the backup was made, and of which store', () => {
  const name = backupNameOf(STORE, NOON + 789, '0.1.0');
  expect(name).toBe('unwrite-20261118T120000Z-0123456789ab-0.1.0.backup');
  expect(readBackupName(name)).toEqual({ name, time: NOON, storeId: STORE });
  expect(readBackupName(`${name}.77.part`)).toBeUndefined();
  expect(readBackupName('notes.backup')).toBeUndefined();
});

it('the newest backup never expires', () => {
  const backups = [40, 20, 10].map((days) => ({
    name: `${days}`,
    time: NOON - days * DAY,
    storeId: STORE,
  }));
  expect(expiredBackups(backups, NOON, 15 * DAY).map(({ name }) => name)).toEqual(['40', '20']);
  expect(expiredBackups(backups, NOON, DAY).map(({ name }) => name)).toEqual(['40', '20']);
  expect(expiredBackups([], NOON, DAY)).toEqual([]);
});

it('what an interrupted backup left is removed a day later, and that of another store never', () => {
  const left = (time: number, storeId = STORE) => `${backupNameOf(storeId, time, '0.1.0')}.77.part`;
  expect(isLeftPart(left(NOON - 2 * DAY), STORE, NOON)).toBe(true);
  expect(isLeftPart(left(NOON - 1000), STORE, NOON)).toBe(false);
  expect(isLeftPart(left(NOON - 2 * DAY, 'ba9876543210'), STORE, NOON)).toBe(false);
  expect(isLeftPart(backupNameOf(STORE, NOON - 2 * DAY, '0.1.0'), STORE, NOON)).toBe(false);
});
