import { describe, expect, it } from 'vitest';
import { createFailureThrottle } from '../../src/auth/throttle-failures.ts';
import { heapAfterCollection } from '../helpers/heap.ts';

const CLIENT = 'cli_1';

function startThrottle() {
  let now = 1_000_000;
  const throttle = createFailureThrottle(() => now);
  return {
    ...throttle,
    pass(seconds: number) {
      now += seconds * 1000;
    },
    fail(times: number, addressOf: (index: number) => string): Promise<number[]> {
      const failed = Array.from({ length: times }, (_, i) => throttle.failed(CLIENT, addressOf(i)));
      return Promise.all(failed);
    },
  };
}

const one = () => '192.0.2.1';
const many = (index: number) => `10.0.${index >> 8}.${index & 255}`;

describe('failures from one address for one client', () => {
  it('are checked up to ten a minute', async () => {
    const throttle = startThrottle();
    expect(await throttle.wait(CLIENT, one())).toBe(0);
    await throttle.fail(9, one);
    expect(await throttle.wait(CLIENT, one())).toBe(0);
    await throttle.fail(1, one);
    expect(await throttle.wait(CLIENT, one())).toBe(60);
  });

  it('the next attempt waits while ten are being checked, and their failures count first', async () => {
    const throttle = startThrottle();
    const first = await Promise.all(Array.from({ length: 10 }, () => throttle.wait(CLIENT, one())));
    expect(first).toEqual(Array(10).fill(0));
    const next = throttle.wait(CLIENT, one());
    const isAnswered = await Promise.race([next.then(() => true), Promise.resolve(false)]);
    expect(isAnswered).toBe(false);
    await throttle.fail(10, one);
    expect(await next).toBe(60);
  });

  it('requests that did not fail do not delay other callers', async () => {
    const throttle = startThrottle();
    for (let n = 0; n < 10; n++) await throttle.wait(CLIENT, one());
    const next = [throttle.wait(CLIENT, one()), throttle.wait(CLIENT, one())];
    throttle.passed(CLIENT, one());
    throttle.passed(CLIENT, one());
    expect(await Promise.all(next)).toEqual([0, 0]);
  });

  it('the caller is told the seconds that are left, at least one, and may try again after them', async () => {
    const throttle = startThrottle();
    await throttle.fail(10, one);
    throttle.pass(45.5);
    expect(await throttle.wait(CLIENT, one())).toBe(15);
    throttle.pass(14.4);
    expect(await throttle.wait(CLIENT, one())).toBe(1);
    throttle.pass(0.2);
    expect(await throttle.wait(CLIENT, one())).toBe(0);
  });

  it('do not hold up another client, nor another address', async () => {
    const throttle = startThrottle();
    await throttle.fail(10, one);
    expect(await throttle.wait('cli_2', one())).toBe(0);
    expect(await throttle.wait(CLIENT, '192.0.2.2')).toBe(0);
  });

  it('count an IPv4 address that is written as IPv6 as the same address', async () => {
    const throttle = startThrottle();
    await throttle.fail(10, () => '::ffff:192.0.2.1');
    expect(await throttle.wait(CLIENT, '192.0.2.1')).toBeGreaterThan(0);
  });

  it('count a whole IPv6 /64 as one address, however it is written', async () => {
    const throttle = startThrottle();
    await throttle.fail(10, (i) => `2001:db8:0:7::${i + 1}`);
    expect(await throttle.wait(CLIENT, '2001:db8:0:7:1:2:3:4')).toBeGreaterThan(0);
    expect(await throttle.wait(CLIENT, '2001:db8::7:0:0:0:9')).toBeGreaterThan(0);
    expect(await throttle.wait(CLIENT, '2001:db8:0:8::1')).toBe(0);
  });
});

describe('failures from many addresses for one client', () => {
  it('callers are told to wait after a hundred failures a minute', async () => {
    const throttle = startThrottle();
    expect(await throttle.fail(100, many)).toEqual(Array(100).fill(0));
    expect(await throttle.failed(CLIENT, many(100))).toBe(60);
  });

  it('make every address that has failed wait', async () => {
    const throttle = startThrottle();
    await throttle.fail(100, many);
    expect(await throttle.wait(CLIENT, many(0))).toBe(60);
    expect(await throttle.wait(CLIENT, many(99))).toBe(60);
  });

  it('failures from many addresses never lock out an address that has not failed', async () => {
    const throttle = startThrottle();
    await throttle.fail(10_000, many);
    expect(await throttle.wait(CLIENT, one())).toBe(0);
  });

  it('leave other clients alone', async () => {
    const throttle = startThrottle();
    await throttle.fail(200, many);
    expect(await throttle.failed('cli_2', many(0))).toBe(0);
  });

  it('are forgotten after a minute', async () => {
    const throttle = startThrottle();
    await throttle.fail(101, many);
    throttle.pass(60);
    expect(await throttle.failed(CLIENT, many(0))).toBe(0);
    expect(await throttle.wait(CLIENT, many(1))).toBe(0);
  });
});

describe('what is remembered of failures', () => {
  it('does not grow with the length of invented client ids', async () => {
    const throttle = startThrottle();
    const before = heapAfterCollection();
    for (let i = 0; i < 500; i++)
      await throttle.failed(`${i}${'x'.repeat(200_000)}`.toUpperCase(), one());
    expect(heapAfterCollection() - before).toBeLessThan(20_000_000);
    // Still the same throttle: what it remembers must outlive the measurement.
    expect(await throttle.wait('cli_2', one())).toBe(0);
  });

  it('is not evicted by fifty thousand failures of invented client ids', async () => {
    const throttle = startThrottle();
    await throttle.fail(10, one);
    for (let i = 0; i < 50_001; i++) await throttle.failed(`cli_made_up_${i}`, many(i));
    expect(await throttle.wait(CLIENT, one())).toBe(60);
    // Also those that are tried twice.
    for (let i = 0; i < 20_000; i++) await throttle.failed(`cli_made_up_${i >> 1}_again`, one());
    expect(await throttle.wait(CLIENT, one())).toBe(60);
  });
});
