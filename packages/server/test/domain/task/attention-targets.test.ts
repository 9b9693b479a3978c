import { describe, expect, it } from 'vitest';
import { reasonOfTask } from '../../../src/domain/task/attention.ts';
import { attentionTargets, batchLimit } from '../../../src/domain/task/attention-targets.ts';
import { httpTarget } from '../../connectors/http/endpoint-server.ts';
import { moduleTarget } from '../../connectors/module/module-target.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-11-15T12:00:00Z');
const files = { ...moduleTarget('/srv/files.ts'), timeout: MINUTE };

describe('what the configuration explains of waiting', () => {
  it('is as long as all calls of a batch may take, and some minutes', () => {
    expect(batchLimit(files)).toBe(8 * MINUTE + 5 * MINUTE);
    const crm = httpTarget('https://crm.example/', { timeout: 1000, pollTimeout: MINUTE });
    expect(batchLimit(crm)).toBe(8 * (MINUTE + 1000) + 5 * MINUTE);
  });

  it('shows a task that runs for longer, only of that target', () => {
    const task = {
      ...({ state: 'running', phase: 'erase', dueTime: null, attempts: 1, reason: null } as const),
      receivedTime: NOON,
      isPaused: false,
      detail: null,
      circuitCode: null,
      circuitDetail: null,
      hasToWait: false,
      leaseUntil: NOON,
      changedTime: NOON - 20 * MINUTE,
    };
    const times = { now: NOON, ...attentionTargets([files], NOON) };
    expect(reasonOfTask({ ...task, target: 'files' }, times)).toBe('taking_long');
    expect(reasonOfTask({ ...task, target: 'shop' }, times)).toBeNull();
    const recent = { ...task, changedTime: NOON - 12 * MINUTE };
    expect(reasonOfTask({ ...recent, target: 'files' }, times)).toBeNull();
  });

  it('is the hours of a target, until it has been open for a quarter of an hour', () => {
    const hours = { from: 12 * 60, to: 14 * 60, timeZone: 'UTC', text: '12:00-14:00' };
    const patientAt = (minutes: number) =>
      attentionTargets([{ ...files, hours }], NOON + minutes * MINUTE).patientTargets;
    expect(patientAt(-60)).toEqual(['files']);
    expect(patientAt(10)).toEqual(['files']);
    expect(patientAt(15)).toEqual([]);
    expect(patientAt(119)).toEqual([]);
    expect(patientAt(120)).toEqual(['files']);
  });
});
