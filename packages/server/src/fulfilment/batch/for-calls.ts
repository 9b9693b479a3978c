// What a target without transactions is given so that no call is made twice: it does not roll back, and may work for days.
import type { RequestKey } from '../../domain/request/request.ts';
import { type Subject, totalOf } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { LeasedTask, SealedBytes } from '../../domain/task/fulfilment-ports.ts';
import type { OpenedIntent } from '../intent/intents.ts';
import { isSamePlace } from '../intent/same-plan.ts';
import type { Case } from './case.ts';

/** The domains of the processors that have forwarded the request. */
export type OpenVia = (request: RequestKey, received: SealedBytes) => readonly string[];

export function forCalls(
  task: LeasedTask,
  before: OpenedIntent | undefined,
  { planDigest }: TargetConfig,
  openVia: OpenVia,
): Pick<Subject, 'submitted' | 'called'> {
  const { regulation, submittedTime: time } = task;
  const received = task.identities.find(({ source }) => source === undefined);
  const via = received === undefined ? [] : openVia(task, received);
  const submitted = { regulation, time, via };
  if (before === undefined || !isSamePlace(before, planDigest)) return { submitted };
  const isAnswered = before.state === 'done';
  if (!isAnswered && task.unanswered === undefined) return { submitted };
  return { submitted, called: { keys: before.keys, isAnswered } };
}

/** The target was called by an earlier attempt, and nothing is left to call it for: what is on record of that stays. */
export function isCalled({ task, found }: Case): boolean {
  return task.intent?.state === 'done' && found.layout === undefined && totalOf(found.counts) === 0;
}
