import type { Result } from '../run-checks.ts';

export interface Report {
  readonly baseUrl: string;
  readonly profile: string;
  readonly startedTime: string;
  readonly results: readonly Result[];
  readonly notTested: readonly (readonly [string, string])[];
  /** Requests that could not be cancelled. */
  readonly leftBehind: readonly string[];
}
