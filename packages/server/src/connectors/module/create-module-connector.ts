// A target in the operator's own code; docs/targets-module.md documents it. It runs in child processes, and its
// answers are checked like input from outside.
import { isObject } from '../../domain/is-object.ts';
import type { CheckLine, Connector, Failed, Subject } from '../../domain/target/connector.ts';
import type { ModuleTargetConfig } from '../../domain/target/target.ts';
import { eraseByCall } from '../erase-as-previewed.ts';
import { createModuleProcesses } from './module-processes.ts';
import { readErasure, readPreview, readVerdict } from './read-outcomes.ts';
import { createRestartBudget, type RestartBudget } from './restart-budget.ts';
import { sendSubjects } from './send-subjects.ts';

const LEVELS = new Set<unknown>(['ok', 'note', 'warning', 'problem']);

export interface ModuleDeps {
  /** Kept by the caller, so that a connector that is created again does not start with a fresh budget. */
  readonly restarts?: RestartBudget;
  readonly idleMs?: number;
}

/** Throws TargetDown if the file is not such a module. */
export async function createModuleConnector(
  config: ModuleTargetConfig,
  { restarts = createRestartBudget(), idleMs }: ModuleDeps = {},
): Promise<Connector> {
  const processes = createModuleProcesses(config, restarts, idleMs);
  await processes.start();

  async function ask<S extends Subject, T>(
    name: 'preview' | 'erase' | 'verify',
    subjects: readonly S[],
    read: (value: unknown, subject: S) => T | undefined,
  ): Promise<(T | Failed)[]> {
    const answers = await processes.call(name, sendSubjects(subjects));
    const isWhole = Array.isArray(answers) && answers.length === subjects.length;
    return subjects.map((subject, index) => {
      if (!isWhole) return badAnswer(`${name} must return a list with one entry for each subject`);
      return read(answers[index], subject) ?? badAnswer(`${name} gave an entry of another shape`);
    });
  }

  const preview: Connector['preview'] = (subjects) => ask('preview', subjects, readPreview);

  return {
    async check() {
      const lines = await processes.call('check');
      if (Array.isArray(lines) && lines.every(isCheckLine)) return lines;
      const message = 'check must return a list of { level, subject, message }; change the module';
      return [{ level: 'problem', subject: config.file, message }];
    },
    preview,
    erase: eraseByCall(preview, (orders) => ask('erase', orders, readErasure)),
    verify: (orders) => ask('verify', orders, readVerdict),
    close: () => processes.close(),
  };
}

function isCheckLine(value: unknown): value is CheckLine {
  return (
    isObject(value) &&
    LEVELS.has(value.level) &&
    typeof value.subject === 'string' &&
    typeof value.message === 'string'
  );
}

function badAnswer(detail: string): Failed {
  return { outcome: 'failed', code: 'bad_answer', detail };
}
