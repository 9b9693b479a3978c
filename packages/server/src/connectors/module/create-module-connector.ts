// A target in the operator's own code: docs/targets-module.md says what it has to do. What it answers is
// checked as if it came from outside.
import type { CheckLine, Connector, Failed, Subject } from '../../domain/target/connector.ts';
import { deeplyFrozenSubjects } from '../../domain/target/frozen-subjects.ts';
import type { ModuleTargetConfig } from '../../domain/target/target.ts';
import { isRecord } from '../read-reported.ts';
import { loadModule } from './load-module.ts';
import { moduleError } from './module-error.ts';
import { readErasure, readPreview, readVerdict } from './read-outcomes.ts';

const LEVELS = new Set<unknown>(['ok', 'note', 'warning', 'problem']);

/** Throws TargetDown where the file is not such a module. */
export async function createModuleConnector(config: ModuleTargetConfig): Promise<Connector> {
  const module = await loadModule(config);

  async function call<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw moduleError(error, `${name} of ${config.file} threw`);
    }
  }

  async function ask<S extends Subject, T>(
    name: 'preview' | 'erase' | 'verify',
    subjects: readonly S[],
    answering: (subjects: readonly S[]) => Promise<readonly unknown[]>,
    read: (value: unknown, subject: S) => T | undefined,
  ): Promise<(T | Failed)[]> {
    const answers: unknown = await call(name, () => answering(deeplyFrozenSubjects(subjects)));
    const isWhole = Array.isArray(answers) && answers.length === subjects.length;
    return subjects.map((subject, index) => {
      if (!isWhole) return badAnswer(`${name} must answer a list with one entry for each subject`);
      return read(answers[index], subject) ?? badAnswer(`${name} gave an entry of another shape`);
    });
  }

  return {
    async check() {
      const lines: unknown = await call('check', () => module.check());
      if (Array.isArray(lines) && lines.every(isCheckLine)) return lines;
      const message = 'check must answer a list of { level, subject, message }; mend the module';
      return [{ level: 'problem', subject: config.file, message }];
    },
    preview: (subjects) => ask('preview', subjects, (all) => module.preview(all), readPreview),
    erase: (orders) => ask('erase', orders, (all) => module.erase(all), readErasure),
    verify: (orders) => ask('verify', orders, (all) => module.verify(all), readVerdict),
    close: () => call('close', () => module.close()),
  };
}

function isCheckLine(value: unknown): value is CheckLine {
  return (
    isRecord(value) &&
    LEVELS.has(value.level) &&
    typeof value.subject === 'string' &&
    typeof value.message === 'string'
  );
}

function badAnswer(detail: string): Failed {
  return { outcome: 'failed', code: 'bad_answer', detail };
}
