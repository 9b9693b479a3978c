// Targets: their state, check, plan and pauses.

import { isoTime } from '../../../operator/iso-time.ts';
import { eraseAgain } from '../../../operator/request/erase-again.ts';
import { type CheckedTarget, hasProblem } from '../../../operator/target/check-target.ts';
import { findTarget } from '../../../operator/target/find-target.ts';
import { pauseErasing, pauseShape, resumeErasing } from '../../../operator/target/pauses.ts';
import { planGraph } from '../../../operator/target/plan-graph.ts';
import { suggestPlan } from '../../../operator/target/suggest-plan.ts';
import { listTargets, readTarget } from '../../../operator/target/target-lines.ts';
import { targetPage } from '../../../operator/target/target-page.ts';
import type { OperatorContext } from '../context.ts';
import { pauseShape as pauseSchema } from '../overview/shapes.ts';
import { requireMatch, tagged } from '../shared/etags.ts';
import { controllerQuery, endOf, timeOf } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { flag, integer, list, record, text } from '../shared/shapes.ts';
import { checkShape, targetLineShape, targetPageShape } from './shapes.ts';

const TAG = 'Targets';

export function targetRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, settings } = context;
  const targets = () => settings().targets;
  /** Last results of checks that were run through this node since it started. */
  const checks = new Map<string, ReturnType<typeof checkedShape>>();

  route({
    method: 'GET',
    path: '/targets',
    role: 'viewer',
    id: 'listTargets',
    tag: TAG,
    summary: 'Targets: up, down, paused or refused by their check, with what waits for them',
    description: 'Includes targets with open tasks that are not configured any more.',
    answer: record({ items: list(targetLineShape) }),
    handle: async () => ({ items: await listTargets(store, targets()) }),
  });
  route({
    method: 'GET',
    path: '/targets/:target',
    role: 'viewer',
    id: 'getTarget',
    tag: TAG,
    summary: 'One target: throughput, errors, limits, and its last check on this node',
    answer: targetPageShape,
    errors: [404],
    async handle({ params, request, reply }) {
      const { target = '' } = params;
      const page = await targetPage(store, targets(), target);
      return tagged(request, reply, { ...page, last_check: checks.get(target) ?? null });
    },
  });
  route({
    method: 'POST',
    path: '/targets/:target/check',
    role: 'operator',
    tag: TAG,
    id: 'checkTarget',
    summary: 'Check a target now for what could go wrong, and read its plan; changes nothing there',
    answer: checkShape,
    errors: [404],
    async handle({ params, by }) {
      const target = findTarget(params.target ?? '', targets());
      const checked = checkedShape(await context.check(target), by.now);
      checks.set(target.name, checked);
      return checked;
    },
  });
  route({
    method: 'POST',
    path: '/targets/:target/suggest',
    role: 'operator',
    tag: TAG,
    id: 'suggestPlan',
    summary: 'A draft plan of a database, from its tables and foreign keys; reads no rows',
    description:
      'YAML to review and to edit, without its address. For a database that is not a target yet, use "unwrite target suggest".',
    answer: record({ target: text, plan: text }),
    errors: [404, 409],
    async handle({ params: { target = '' } }) {
      return { target, plan: await suggestPlan(target, targets(), context.suggest) };
    },
  });
  for (const action of ['pause', 'resume'] as const) {
    route({
      method: 'POST',
      path: `/targets/:target/${action}`,
      role: 'operator',
      tag: TAG,
      id: `${action}Target`,
      summary:
        action === 'pause'
          ? 'Pause erasing at one target; batches that run are finished'
          : 'Resume erasing at one target',
      answer: targetLineShape,
      errors: [404, 409],
      async handle({ params, by, request, reply }) {
        const { target = '' } = params;
        const { etag } = await readTarget(store, targets(), target);
        requireMatch(request, etag, `target ${target}`);
        if (action === 'pause') await pauseErasing(store, targets(), target, by);
        else await resumeErasing(store, target, by);
        return tagged(request, reply, await readTarget(store, targets(), target));
      },
    });
    route({
      method: 'POST',
      path: `/${action}`,
      role: 'operator',
      id: `${action}All`,
      tag: TAG,
      summary:
        action === 'pause'
          ? 'Pause all erasing; requests are still accepted, cancelled and started'
          : 'Resume all erasing',
      answer: record({ paused: list(pauseSchema) }),
      errors: [409],
      async handle({ by }) {
        if (action === 'pause') await pauseErasing(store, targets(), undefined, by);
        else await resumeErasing(store, undefined, by);
        return paused();
      },
    });
  }
  route({
    method: 'GET',
    path: '/pause',
    role: 'viewer',
    id: 'listPauses',
    tag: TAG,
    summary: 'What is paused, since when and by whom',
    answer: record({ paused: list(pauseSchema) }),
    handle: paused,
  });
  route({
    method: 'POST',
    path: '/erase-again',
    role: 'admin',
    id: 'eraseAgain',
    tag: TAG,
    summary: 'Erase again what was erased at a target since a backup that was restored there',
    body: {
      type: 'object',
      required: ['target', 'since'],
      properties: {
        ...controllerQuery,
        target: { type: 'string', maxLength: 200 },
        since: { type: 'string', description: 'When the backup was made: a day or a time' },
        until: { type: 'string', description: 'Only what was erased up to then' },
        dry_run: { type: 'boolean', description: 'Only count' },
      },
    },
    answer: record({
      target: text,
      dry_run: flag,
      runs: integer,
      shredded: integer,
      open: integer,
      nobody: integer,
    }),
    errors: [404, 409],
    async handle({ body, by }) {
      const { target, controller, dry_run: isDry = false } = body;
      const since = timeOf('since', body.since) ?? 0;
      const until = endOf('until', body.until);
      const parts = { store, targets: targets(), planTask: context.planTask };
      const counts = await eraseAgain(parts, { target, since, until, controller, isDry }, by);
      const { runs, shredded, open, nobody } = counts;
      return { target, dry_run: isDry, runs, shredded, open, nobody };
    },
  });

  async function paused() {
    return { paused: (await store.pauses.list()).map(pauseShape) };
  }
}

function checkedShape(checked: CheckedTarget, now: number) {
  const { target, lines, plan } = checked;
  return {
    target: target.name,
    checked_time: isoTime(now),
    ok: !hasProblem(checked),
    lines,
    plan: plan === undefined ? null : planGraph(plan),
  };
}
