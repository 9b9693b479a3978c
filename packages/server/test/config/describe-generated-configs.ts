import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config.ts';
import { FUZZ_SEED, reportInputs } from '../helpers/fuzz-runs.ts';
import { generatedConfig } from './generated-configs.ts';
import { useGivenSettings } from './given.ts';

/** Of processor time, for a file of a few kilobytes: the machine may be busy. */
const LONGEST_MS = 10_000;

function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

export function describeGeneratedConfigs(runs: number): void {
  describe('generated configuration files', () => {
    const { load } = useGivenSettings();

    /** Undefined: accepted. */
    function problemsOf(file: string): readonly string[] | undefined {
      try {
        load({ file, environment: {} });
        return undefined;
      } catch (error) {
        if (error instanceof ConfigError) return error.problems;
        throw error;
      }
    }

    it('are accepted, or refused with the problems by name, and soon', {
      timeout: 60_000 + runs * 200,
    }, () => {
      let accepted = 0;
      fc.assert(
        fc.property(generatedConfig, (file) => {
          const started = process.cpuUsage();
          const problems = problemsOf(file);
          expect(processorMs(started)).toBeLessThan(LONGEST_MS);
          if (problems === undefined) accepted++;
          for (const problem of problems ?? []) {
            expect(problem).toMatch(/\w/);
            expect(problem).not.toMatch(/\n {4}at |\[object Object\]|TypeError|RangeError/);
          }
          expect(problems?.length).not.toBe(0);
        }),
        { numRuns: runs, ...FUZZ_SEED },
      );
      expect(accepted).toBeGreaterThan(0);
      reportInputs('configuration files', runs);
    });
  });
}
