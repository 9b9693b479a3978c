import type { RequestStatus } from '@unwrite/protocol';
import { describe, expect, it } from 'vitest';
import {
  endedTask,
  foundNowhere,
  type Outcome,
  outcomeAfter,
  outcomeOf,
  outcomeOfPerson,
  type TaskOfRequest,
} from '../../../src/domain/request/outcome.ts';
import type { Evidence, Tables } from '../../../src/domain/task/task.ts';

const DELETED: Tables = { customers: { action: 'delete', rows: 2 } };
const KEPT: Tables = { invoices: { action: 'retain', rows: 3 } };
const KEPT2: Tables = { ...DELETED, ...KEPT };
const UNPROVEN: Tables = { orders: { action: 'delete', rows: 0, unproven: 1 } };
const SHARED: Tables = { rooms: { action: 'delete', rows: 0, shared_kept: 1 } };

function a(
  action: Evidence['action'],
  tables: Tables = action === 'erased' ? DELETED : {},
  changes: Partial<TaskOfRequest> = {},
): TaskOfRequest {
  return { target: 'crm', run: 1, state: 'erased', evidence: { action, tables }, ...changes };
}
const at = (target: string, task: TaskOfRequest): TaskOfRequest => ({ ...task, target });
const again = (task: TaskOfRequest): TaskOfRequest => ({ ...task, run: 2 });
const open: TaskOfRequest = { target: 'crm', run: 1, state: 'waiting', evidence: null };

describe('the outcome for a person', () => {
  it.each<[string, TaskOfRequest[], Outcome]>([
    ['rows were deleted', [a('erased')], 'erased'],
    ['one target had rows, the other none', [a('erased'), at('mail', a('not_found'))], 'erased'],
    ['another request had deleted them', [a('already_erased')], 'erased'],
    ['a person confirms it', [a('confirmed')], 'erased'],
    ['one target was left out', [a('erased'), at('mail', a('skipped'))], 'erased'],
    ['some rows stay', [a('erased', { ...DELETED, ...KEPT })], 'partly retained'],
    ['a shared row stays', [a('erased', { ...DELETED, ...SHARED })], 'partly retained'],
    ['a whole target stays', [a('erased'), at('mail', a('retained'))], 'partly retained'],
    ['a target stays of which some was erased', [a('retained', DELETED)], 'partly retained'],
    ['all rows stay', [a('not_found', KEPT)], 'retained'],
    ['only a shared row was there', [a('not_found', SHARED)], 'retained'],
    ['a row was left out', [a('erased'), at('shop', a('not_found', UNPROVEN))], 'partly retained'],
    ['a row was left out, and erased later', [a('erased', UNPROVEN), again(a('erased'))], 'erased'],
    ['only a row that was left out was there', [a('not_found', UNPROVEN)], 'retained'],
    ['a person kept it', [a('retained'), at('mail', a('not_found'))], 'retained'],
    ['no target was asked', [a('skipped')], 'retained'],
    ['one had nothing, one was not asked', [a('skipped'), at('mail', a('not_found'))], 'retained'],
    ['nothing was there', [a('not_found'), at('mail', a('not_found'))], 'found nowhere'],
    ['a task is open', [a('erased'), at('mail', open)], 'still open'],
    ['it is to be erased again', [a('erased'), again(open)], 'still open'],
    ['it was erased, and not found again', [a('erased'), again(a('not_found'))], 'erased'],
    ['it was kept, and erased later', [a('retained'), again(a('erased'))], 'erased'],
    [
      'rows stay, and a run found none',
      [a('erased', KEPT2), again(a('not_found'))],
      'partly retained',
    ],
    ['rows stay, and a run erased', [a('erased', KEPT2), again(a('erased'))], 'partly retained'],
    [
      'a target stays, and a run found nothing there',
      [a('erased'), at('mail', a('retained')), again(at('mail', a('not_found')))],
      'partly retained',
    ],
    ['it was erased, and kept later', [again(a('retained')), a('erased')], 'partly retained'],
  ])('the outcome is right if %s', (_, tasks, expected) => {
    expect(outcomeOf('completed', tasks)).toBe(expected);
    const ended = tasks.flatMap(({ evidence }) => (evidence === null ? [] : [endedTask(evidence)]));
    if (expected !== 'still open') expect(foundNowhere(ended)).toBe(expected === 'found nowhere');
  });

  it.each<[RequestStatus, Outcome]>([
    ['pending', 'still open'],
    ['in_progress', 'still open'],
    ['cancelled', 'cancelled'],
  ])('the outcome is right if the request is %s', (status, expected) => {
    expect(outcomeOf(status, [a('erased')])).toBe(expected);
  });

  it('is not erased by a second request while rows stay that the first kept', () => {
    const by = (...ids: string[]): TaskOfRequest => ({
      ...a('already_erased'),
      evidence: { action: 'already_erased', tables: {}, already_erased_by: ids },
    });
    const requestOf = (subjectRequestId: string, task: TaskOfRequest) =>
      ({ subjectRequestId, status: 'completed', tasks: [task] }) as const;
    const before = new Map(
      [
        requestOf('kept', a('erased', KEPT2)),
        requestOf('between', by('kept')),
        requestOf('gone', a('erased')),
        requestOf('round', by('round')),
      ].map((one) => [one.subjectRequestId, one]),
    );
    const outcomes = ['KEPT', 'between', 'gone', 'round', 'forgotten'].map((id) =>
      outcomeAfter(requestOf('second', by(id)), before),
    );
    expect(outcomes).toEqual(['partly retained', 'partly retained', 'erased', 'erased', 'erased']);
  });

  it.each<[Outcome[], Outcome | undefined]>([
    [[], undefined],
    [['cancelled'], 'cancelled'],
    [['cancelled', 'found nowhere'], 'found nowhere'],
    [['erased', 'found nowhere'], 'erased'],
    [['erased', 'still open'], 'still open'],
    [['erased', 'retained'], 'partly retained'],
    [['retained', 'found nowhere'], 'retained'],
    [['partly retained', 'erased'], 'partly retained'],
  ])('the outcome of several requests, %j, is %s', (requests, expected) => {
    expect(outcomeOfPerson(requests)).toBe(expected);
  });
});
