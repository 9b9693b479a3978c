// The only target of a sandbox. No configuration file can name its connector.
import type { SandboxTargetConfig, TargetConfig } from '../../domain/target/target.ts';
import type { Undigested } from './common-fields.ts';
import { digestOf, planDigestOf } from './digest.ts';

export function sandboxTarget(): TargetConfig {
  const target: Undigested<SandboxTargetConfig> = {
    name: 'sandbox',
    connector: 'sandbox',
    mode: 'erase',
    controllers: null,
    maxRowsPerSubject: 100,
    maxRowsPerDay: null,
    // One person a batch: somebody who is slow delays nobody else.
    batchSize: 1,
    concurrency: 16,
    hours: null,
    whenUnmatched: 'hold',
  };
  return { ...target, digest: digestOf(target), planDigest: planDigestOf(target) };
}
