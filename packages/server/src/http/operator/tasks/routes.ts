// Open tasks, and the three ways in which an operator ends a hold.
import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import type { TaskPlace } from '../../../domain/operator/view-ports.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Evidence } from '../../../domain/task/task.ts';
import { controllerOf } from '../../../operator/controller/find-controller.ts';
import { taskEtag } from '../../../operator/etag.ts';
import { NotFound } from '../../../operator/failures.ts';
import { requireTarget } from '../../../operator/target/find-target.ts';
import { confirmTask, retainTask } from '../../../operator/task/end-task.ts';
import {
  RELEASABLE_REASONS,
  releaseAllTasks,
  releaseTask,
  sizeOfReleaseAll,
} from '../../../operator/task/release-tasks.ts';
import { taskCard } from '../../../operator/task/task-card.ts';
import { decideOnce } from '../../../operator/what-happened.ts';
import type { OperatorContext } from '../context.ts';
import { taskCardShape } from '../requests/shapes.ts';
import { readCursor, writeCursor } from '../shared/cursor.ts';
import { isConditional, requireMatch, tagged } from '../shared/etags.ts';
import { controllerQuery, limitOf, pageQuery } from '../shared/query.ts';
import type { Call, DefineRoute } from '../shared/route.ts';
import { integer, list, orNull, page, record, text } from '../shared/shapes.ts';

const TAG = 'Tasks';
const IF_MATCH = 'If-Match takes the etag of the task.';
const whole = { type: 'integer', minimum: 0 } as const;
const sizeShape = {
  tasks: integer,
  people: { ...integer, description: 'Requests: one for each person' },
  rows: {
    ...integer,
    description: 'Most rows that may be erased, where the hold has counted them',
  },
  uncounted: {
    ...integer,
    description: 'Tasks whose rows are not counted: the limits of the target apply',
  },
};
const words = { type: 'string', minLength: 1, maxLength: 2000 } as const;

export function taskRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, settings } = context;

  async function find({ params }: Call<unknown, unknown>) {
    const number = /^\d{1,15}$/.test(params.task ?? '') ? Number(params.task) : -1;
    const [task] = await store.tasks.tasks({ taskNo: number, limit: 1 });
    if (task === undefined) throw new NotFound(`there is no task ${params.task}`);
    return task;
  }

  const cardFor = async (call: Call<unknown, unknown>) =>
    tagged(call.request, call.reply, taskCard(await find(call), settings().targets));

  async function decide(
    call: Call<unknown, unknown>,
    action: AuditAction,
    work: (taskNo: string, by: Actor) => Promise<unknown>,
    /** What the evidence says if the same was done before. */
    asked: Partial<Evidence> = {},
  ) {
    const task = await find(call);
    const { taskNo, target, changedTime } = task;
    const by = isConditional(call.request) ? { ...call.by, seenChange: changedTime } : call.by;
    const isDone = async () => {
      const { evidence } = await find(call);
      return Object.entries(asked).every(([name, said]) => {
        return evidence?.[name as keyof Evidence] === said;
      });
    };
    await decideOnce(store, { request: task, target, action, by, isDone }, async () => {
      requireMatch(call.request, taskEtag(task), `task ${taskNo}`);
      await work(String(taskNo), by);
    });
    return cardFor(call);
  }

  route({
    method: 'GET',
    path: '/tasks',
    role: 'viewer',
    id: 'listTasks',
    tag: TAG,
    summary: 'Open tasks, oldest request first',
    description: 'What a person has to do by hand: state=held and reason=manual.',
    query: {
      type: 'object',
      required: [],
      properties: {
        ...pageQuery,
        ...controllerQuery,
        state: { enum: ['waiting', 'running', 'failed', 'held'] },
        reason: { type: 'string', maxLength: 100 },
        target: { type: 'string', maxLength: 200 },
      },
    },
    answer: page(taskCardShape),
    errors: [404],
    async handle({ query }) {
      const { state, reason, target } = query;
      const controllerId = await controllerOf(query.controller, store.tenants);
      await requireTarget(target, settings().targets, store);
      const after = placeOf(query.after);
      const { items, next } = await store.views.tasks({
        limit: limitOf(query),
        ...(controllerId !== undefined && { controllerId }),
        ...(state !== undefined && { state }),
        ...(reason !== undefined && { reason }),
        ...(target !== undefined && { target }),
        ...(after !== undefined && { after }),
      });
      return {
        items: items.map((task) => taskCard(task, settings().targets)),
        next: writeCursor(next && [next.requestNo, next.taskNo]),
      };
    },
  });
  route({
    method: 'GET',
    path: '/tasks/:task',
    role: 'viewer',
    id: 'getTask',
    tag: TAG,
    summary: 'One task',
    answer: taskCardShape,
    errors: [404],
    handle: cardFor,
  });
  route({
    method: 'POST',
    path: '/tasks/:task/release',
    role: 'operator',
    tag: TAG,
    id: 'releaseTask',
    summary: 'Release a held task: it erases at most what was previewed',
    description: IF_MATCH,
    answer: taskCardShape,
    errors: [404, 409],
    handle: (call) =>
      decide(call, 'task.released', (taskNo, by) => releaseTask(store, taskNo, {}, by)),
  });
  route({
    method: 'POST',
    path: '/tasks/:task/retain',
    role: 'operator',
    tag: TAG,
    id: 'retainTask',
    summary: 'Keep the data for a legal reason, which the receipt states',
    description: IF_MATCH,
    body: {
      type: 'object',
      required: ['legal_basis', 'reason'],
      properties: { legal_basis: words, reason: words },
    },
    answer: taskCardShape,
    errors: [404, 409],
    handle(call) {
      const { reason, legal_basis: legalBasis } = call.body;
      return decide(
        call,
        'task.retained',
        (taskNo, by) => retainTask(context, taskNo, {}, { reason, legalBasis }, by),
        { action: 'retained', note: reason, legal_basis: legalBasis },
      );
    },
  });
  route({
    method: 'POST',
    path: '/tasks/:task/confirm',
    role: 'operator',
    tag: TAG,
    id: 'confirmTask',
    summary: 'Confirm that a person has erased by hand',
    description: IF_MATCH,
    body: { type: 'object', required: ['note'], properties: { note: words } },
    answer: taskCardShape,
    errors: [404, 409],
    handle: (call) =>
      decide(
        call,
        'task.confirmed',
        (taskNo, by) => confirmTask(context, taskNo, {}, call.body.note, by),
        { action: 'confirmed', note: call.body.note },
      ),
  });
  route({
    method: 'POST',
    path: '/targets/:target/release-all',
    role: 'operator',
    tag: TAG,
    id: 'releaseAllTasks',
    summary: 'Release all held tasks of a target, or those held for one reason',
    description:
      'No If-Match: it takes the tasks that are held when it is called. One that changes meanwhile is not released.',
    body: {
      type: 'object',
      required: [],
      properties: {
        ...controllerQuery,
        reason: { enum: RELEASABLE_REASONS },
        expected: {
          type: 'object',
          description: 'What was shown. Nothing is released if it has changed',
          required: ['tasks', 'rows'],
          additionalProperties: false,
          properties: { tasks: whole, rows: whole },
        },
      },
    },
    answer: record({ released: list(integer), left: list(integer) }),
    errors: [404, 409],
    handle: ({ params, body, by }) =>
      releaseAllTasks(store, settings().targets, { target: params.target ?? '', ...body }, by),
  });
  route({
    method: 'GET',
    path: '/targets/:target/release-all',
    role: 'viewer',
    tag: TAG,
    id: 'sizeOfReleaseAll',
    summary:
      'How many tasks, people and rows releasing all would be about, by controller and reason',
    query: {
      type: 'object',
      required: [],
      properties: { ...controllerQuery, reason: { enum: RELEASABLE_REASONS } },
    },
    answer: record({
      ...sizeShape,
      groups: list(record({ controller_id: text, reason: orNull(text), ...sizeShape })),
    }),
    errors: [404],
    handle: ({ params, query }) =>
      sizeOfReleaseAll(store, settings().targets, { target: params.target ?? '', ...query }),
  });
}

function placeOf(after: string | undefined): TaskPlace | undefined {
  const place = readCursor(after, ['number', 'number']);
  if (place === undefined) return undefined;
  const [requestNo, taskNo] = place as [number, number];
  return { requestNo, taskNo };
}
