import { describe, expect, it } from 'vitest';
import { createErrorLog } from '../../src/telemetry/http-log.ts';
import { createLog } from '../../src/telemetry/log.ts';

describe('the log of a request that failed', () => {
  async function logged(error: unknown): Promise<string> {
    let text = '';
    const log = await createLog('info', {
      write(line) {
        text += line;
      },
    });
    createErrorLog(log).failed('request-1', error);
    return text;
  }

  it("holds PostgreSQL's code for the fault, and not its words, which may quote data", async () => {
    const error = Object.assign(new Error('invalid input: "jane@example.com"'), {
      severity: 'ERROR',
      code: '22P02',
      detail: 'Key (email)=(jane@example.com)',
      where: 'jane@example.com',
      routine: 'pg_strtoint32_safe',
    });
    const text = await logged(error);
    expect(text).toContain('22P02');
    expect(text).toContain('request-1');
    expect(text).not.toContain('jane');
  });

  it('holds the whole of an error of our own, so that its cause can be found', async () => {
    expect(await logged(new TypeError('x is not a function'))).toContain('x is not a function');
  });
});
