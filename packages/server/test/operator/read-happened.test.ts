// Files that were kept outside of the store: what is taken from them, and why one is refused.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NotKept, readHappened } from '../../src/operator/restore/read-happened.ts';

const ID = randomUUID();
const ROW = {
  type: 'row',
  audit_no: 7,
  time: 1000,
  actor: 'system',
  action: 'request.cancelled',
  controller_id: 'acme',
  subject_request_id: ID,
  detail: null,
  request_no: 1,
};
const HEADER = { type: 'unwrite audit export', version: 1 };
const RECEIPT = {
  controller_id: 'acme',
  subject_request_id: ID,
  completed_time: '2026-11-01T00:00:00Z',
};
const lines = (...given: unknown[]) => given.map((it) => `${JSON.stringify(it)}\n`).join('');

describe('a kept file', () => {
  it('says what happened: an export, a part of one, or a receipt', () => {
    const cancelled = { what: 'cancelled', time: 1000, controllerId: 'acme', subjectRequestId: ID };
    const other = { ...ROW, action: 'token.issued', controller_id: null };
    expect(
      readHappened(lines(HEADER, ROW, other, { type: 'head' }, { type: 'footer' })),
    ).toMatchObject([cancelled]);
    expect(readHappened(JSON.stringify(ROW))).toMatchObject([cancelled]);
    expect(readHappened(`\uFEFF\r\n${lines(ROW)}\r\n`)).toMatchObject([cancelled]);
    expect(readHappened(lines({ type: 'head' }, other))).toEqual([]);
    expect(readHappened(JSON.stringify(RECEIPT, null, 2))).toMatchObject([{ what: 'completed' }]);
  });

  it.each<[string, string, string]>([
    ['nothing', ' \n\n', 'is empty'],
    ['notes', 'some notes\nmore', 'has no JSON object on line 1: a line of an export'],
    ['a list', '[1]', 'has no JSON object on line 1'],
    ['deep nesting', '['.repeat(100_000), 'has no JSON object on line 1'],
    ['lines of something else', lines({ a: 1 }, { b: 2 }), 'has no type on line 1: a line of'],
    ['another type', lines(HEADER, { type: 'user' }), 'has the type "user" on line 2'],
    ['a row in the middle that was cut', `${lines(ROW)}\n{"type":"ro\n${lines(ROW)}`, 'on line 3'],
    ['rows without an action', lines(ROW, { ...ROW, action: 1 }), 'on line 2 whose action must'],
    ['a time as text', lines({ ...ROW, time: '1' }), 'whose time must be whole milliseconds'],
    ['no controller', lines({ ...ROW, controller_id: null }), 'controller_id must be the id'],
    ['another id', lines(ROW, { ...ROW, subject_request_id: 'x' }), 'line 2 whose subject_request'],
    ['one object', '{"a":1}', 'is read as a receipt, and controller_id must be'],
    [
      'a receipt without an end',
      JSON.stringify({ ...RECEIPT, completed_time: null }),
      'completed_time must be the time of the completion',
    ],
  ])('that is %s is refused with the place and what was expected', (_, text, message) => {
    expect(() => readHappened(text)).toThrow(NotKept);
    expect(() => readHappened(text)).toThrow(message);
  });

  it('that is read in parts is reported with the line numbers of the whole file', () => {
    expect(() => readHappened(lines(ROW, { type: 'user' }), 501)).toThrow('on line 502');
  });
});
