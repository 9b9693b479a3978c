import type { ModuleTargetConfig } from '../../../src/domain/target/target.ts';

export function moduleTarget(
  file: string,
  options: Readonly<Record<string, unknown>> = {},
): ModuleTargetConfig {
  return {
    name: 'files',
    connector: 'module',
    mode: 'erase',
    controllers: null,
    maxRowsPerSubject: 1000,
    maxRowsPerDay: null,
    batchSize: 10,
    concurrency: 1,
    hours: null,
    whenUnmatched: 'hold',
    digest: 'digest',
    planDigest: 'digest',
    file,
    options,
    timeout: 60_000,
  };
}
