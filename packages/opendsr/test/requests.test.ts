import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../server/test/helpers/temporary-folder.ts';
import { type MemoryProcessor, refusal, startMemoryProcessor } from './helpers/processor.ts';
import { opendsr } from './helpers/run.ts';

const folder = makeTemporaryFolder();
let processor: MemoryProcessor;
beforeAll(async () => {
  processor = await startMemoryProcessor();
});
afterAll(async () => {
  await processor.close();
  folder.remove();
});
afterEach(() => {
  processor.requests.clear();
  processor.fault = undefined;
});

const times = { received_time: 'x', expected_completion_time: '2026-12-15T02:00:00.000Z' };
function stored(status = 'pending'): string {
  const id = randomUUID();
  processor.requests.set(id, { status, body: {}, times });
  return id;
}
const run = (args: readonly string[], io = {}) =>
  opendsr(args, { cwd: folder.path, env: processor.environment, io });
function results(...ids: readonly string[]): string {
  const rows = ids.map((id, n) => `${n + 2},${id},created,,,`);
  const header = 'line,subject_request_id,outcome,expected_completion_time,code,http_status';
  writeFileSync(
    join(folder.path, 'results.csv'),
    `${[header, ...rows, '9,,invalid,,,'].join('\n')}\n`,
  );
  return 'results.csv';
}

describe('opendsr status', () => {
  it('says how requests stand', async () => {
    const [a, b] = [stored(), stored('completed')];
    const { exitCode, stdout } = await run(['status', a, b, '--concurrency', '1']);
    expect([exitCode, stdout]).toEqual([
      0,
      `${a}  pending      until 2026-12-15T02:00:00.000Z\n${b}  completed    until 2026-12-15T02:00:00.000Z\n`,
    ]);
  });

  it('asks for all requests of a results file, and counts them', async () => {
    const ids = Array.from({ length: 30 }, () => stored());
    const { stdout } = await run(['status', '--results', results(...ids, stored('completed'))]);
    expect(stdout).toContain('30 pending, 1 completed\n');
  });

  it('prints JSON, and exits with 1 where one cannot be found', async () => {
    const { exitCode, stdout } = await run(['status', randomUUID(), '--json']);
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      1,
      expect.objectContaining({ error: 'not_found' }),
    ]);
  });

  it.each([
    [[], /which requests\?/],
    [['x'], /must be a UUID/],
    [['--results', 'missing.csv'], /cannot be read/],
  ])('needs requests: %j', async (args, message) => {
    const { exitCode, stderr } = await run(['status', ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('needs the results of submit', async () => {
    writeFileSync(join(folder.path, 'other.csv'), 'a,b\n1,2\n');
    expect((await run(['status', '--results', 'other.csv'])).stderr).toContain(
      'is not the results',
    );
  });
});

describe('opendsr cancel', () => {
  it('cancels what is pending, and says what is not', async () => {
    const [a, b] = [stored(), stored('in_progress')];
    const { exitCode, stdout } = await run(['cancel', a, b, '--concurrency', '1']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${a}  cancelled\n${b}  not_pending  the request cannot`));
    expect(processor.requests.get(a)?.status).toBe('cancelled');
  });

  it('can be run again', async () => {
    const { exitCode, stdout } = await run(['cancel', stored('cancelled'), stored()]);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^(\S+ {2}cancelled\n){2}$/)]);
  });

  it('of a whole file needs --yes', async () => {
    const id = stored();
    const file = results(id);
    expect((await run(['cancel', '--results', file])).exitCode).toBe(2);
    expect(processor.requests.get(id)?.status).toBe('pending');
    expect((await run(['cancel', '--results', file, '--yes', '--json'])).exitCode).toBe(0);
    expect(processor.requests.get(id)?.status).toBe('cancelled');
  });
});

describe('opendsr watch', () => {
  it('asks until all are completed, while the processor is away too, and prints each change', async () => {
    const [a, b] = [stored(), stored('in_progress')];
    let round = 0;
    const io = {
      async wait() {
        round++;
        processor.fault = round === 1 ? () => refusal(404 + 99) : undefined;
        if (round > 8)
          for (const request of processor.requests.values()) request.status = 'completed';
      },
    };
    const { exitCode, stdout } = await run(['watch', a, b, '--concurrency', '1'], io);
    expect([exitCode, stdout.split('\n')]).toEqual([
      0,
      [`${a}  pending`, `${b}  in_progress`, `${a}  completed`, `${b}  completed`, ''],
    ]);
  });

  it('exits with 1 where some were cancelled or are unknown', async () => {
    const args = ['watch', stored('completed'), stored('cancelled'), randomUUID()];
    expect((await run(args)).exitCode).toBe(1);
  });

  it('ends at once when it is interrupted, also while the processor does not answer', async () => {
    let interrupt: () => void = () => undefined;
    const onInterrupt = (listener: () => void) => {
      interrupt = listener;
      return () => undefined;
    };
    processor.fault = () => {
      interrupt();
      return new Promise(() => undefined);
    };
    expect((await run(['watch', stored()], { onInterrupt })).exitCode).toBe(3);
  });

  it('exits with 3 when the time is up', async () => {
    let now = 1_800_000_000_000;
    const io = {
      now: () => now,
      async wait(milliseconds: number) {
        now += milliseconds;
      },
    };
    const { exitCode, stderr } = await run(['watch', stored(), '--timeout', '600'], io);
    expect([exitCode, stderr]).toEqual([3, 'opendsr: 1 of 1 are not final yet\n']);
    expect(now).toBe(1_800_000_600_000);
  });
});
