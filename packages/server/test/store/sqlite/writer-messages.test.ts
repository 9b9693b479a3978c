import { randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { describe, expect, it } from 'vitest';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import {
  encodeOps,
  type WriterRequest,
  writeGroups,
} from '../../../src/store/sqlite/writer-messages.ts';

function group(groupNo: number): WriterRequest {
  const command = {
    controllerId: 'acme' as ControllerId,
    subjectRequestId: randomUUID() as SubjectRequestId,
    actor: 'client:test',
  };
  return [groupNo, encodeOps([{ op: 'cancel', command }])];
}

function failing(errcode: number, errstr: string) {
  let calls = 0;
  const write = () => {
    calls++;
    throw Object.assign(new Error('near jane@example.com'), { errcode, errstr });
  };
  return { write, calls: () => calls };
}

describe('groups whose transaction fails', () => {
  it('are each tried separately if a row causes the failure', () => {
    const { write, calls } = failing(19, 'constraint failed');
    expect(writeGroups([group(1), group(2)], write)).toHaveLength(2);
    expect(calls()).toBe(3);
  });

  it('fail together and at once if the store is locked or full, since waiting again would not help', () => {
    for (const [errcode, errstr] of [
      [5, 'database is locked'],
      [13, 'database or disk is full'],
      [10, 'disk I/O error'],
    ] as const) {
      const { write, calls } = failing(errcode, errstr);
      expect(writeGroups([group(1), group(2)], write)).toEqual([
        ['failed', 1, errstr],
        ['failed', 2, errstr],
      ]);
      expect(calls()).toBe(1);
    }
  });

  it('are described by the name of the fault, never by a message that may quote data', () => {
    const { write } = failing(19, 'constraint failed');
    expect(JSON.stringify(writeGroups([group(1)], write))).not.toContain('jane');
  });
});
