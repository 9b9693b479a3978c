// Runs the well-behaved client, and asks it what it saw.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** `forget`: start anew. `measure`: that, and tell what was measured. */
export type SteadyOrder = 'forget' | 'measure';

export interface SteadyMeasure {
  readonly count: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
  /** Answers other than 200 and 201, at most 20. */
  readonly failures: readonly string[];
}

export interface SteadyClient {
  forget(): void;
  measure(): Promise<SteadyMeasure>;
  stop(): void;
}

export async function runSteadyClient(url: string, token: string): Promise<SteadyClient> {
  const file = fileURLToPath(new URL('./steady-client.ts', import.meta.url));
  const child = fork(file, [url, token], { execArgv: [] });
  await once(child, 'message');
  return {
    forget: () => child.send('forget' satisfies SteadyOrder),
    async measure() {
      child.send('measure' satisfies SteadyOrder);
      const [measured] = await once(child, 'message');
      return measured as SteadyMeasure;
    },
    stop: () => child.disconnect(),
  };
}
