// A task as the console shows it: with what happened in words, and what can be done.
import { DEFAULT_MANUAL_TARGET, type TargetConfig } from '../../domain/target/target.ts';
import { isReleasedFrom, type TaskSummary } from '../../domain/task/task.ts';
import { RETAINABLE } from '../../domain/task/task-rules.ts';
import { taskEtag } from '../etag.ts';
import { sentenceFor } from '../overview/what-to-do.ts';
import { evidenceWords } from './evidence-words.ts';
import { taskShape } from './task-shape.ts';

export type TaskAction = 'release' | 'retain' | 'confirm';

export function taskCard(task: TaskSummary, targets: readonly TargetConfig[]) {
  const { state, reason, evidence } = task;
  return {
    ...taskShape(task),
    etag: taskEtag(task),
    what_to_do: sentenceFor(state, reason),
    words: evidence === null ? [] : evidenceWords(evidence),
    instructions: instructionsFor(task, targets),
    actions: actionsOn(task),
  };
}

function actionsOn({ state, reason }: TaskSummary): TaskAction[] {
  const actions: TaskAction[] = [];
  if (state === 'held' && reason === 'manual') actions.push('confirm');
  if (state === 'held' && isReleasedFrom(reason)) actions.push('release');
  if (RETAINABLE.includes(state)) actions.push('retain');
  return actions;
}

/** The detail of a manual task has the instructions from when it was planned. */
function instructionsFor(
  { target, reason, detail, connector }: TaskSummary,
  targets: readonly TargetConfig[],
): string | null {
  if (connector !== 'manual' && target !== DEFAULT_MANUAL_TARGET) return null;
  const configured = targets.find(({ name }) => name === target);
  if (configured?.connector === 'manual') return configured.instructions ?? detail;
  return reason === 'manual' ? detail : null;
}
