import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EVERYTHING } from '../../src/domain/task/pause-ports.ts';
import { freePort } from '../helpers/free-port.ts';
import { call, postJson } from '../helpers/http/api.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let management: string;

beforeAll(async () => {
  const managementPort = await freePort();
  service = await startService({ managementPort });
  management = `http://127.0.0.1:${managementPort}`;
});
afterAll(() => service.close());

async function scrape(): Promise<string> {
  const answer = await fetch(`${management}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return await answer.text();
}

const readSeries = (text: string, series: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

describe('the management port', () => {
  it('serves metrics in the format that Prometheus reads', async () => {
    const lines = (await scrape()).trimEnd().split('\n');
    for (const line of lines) {
      expect(line).toMatch(
        /^(# HELP [a-z_0-9]+ .+\.|# TYPE [a-z_0-9]+ (counter|gauge|histogram)|[a-z_0-9]+(\{([a-z_]+="[^"]*",?)+\})? -?[\d.e+-]+)$/,
      );
    }
    const names = lines
      .filter((line) => line.startsWith('# TYPE'))
      .map((line) => line.split(' ')[2]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('counts requests and answers, in whatever way they are served', async () => {
    const began = Date.now();
    const token = await service.token();
    const body = requestBody();
    const url = `${service.url}/requests/${body.subject_request_id}`;
    await postJson(`${service.url}/requests`, body, token);
    await postJson(`${service.url}/v2/requests`, body, token);
    await postJson(`${service.url}/requests`, requestBody(), token);
    await call(url, { token });
    await call(url, { method: 'DELETE', token });
    await call(`${service.url}/nothing/jane@example.com`, { token });

    // What took long to read, on a busy machine, is remembered for a while.
    const text = await vi.waitFor(
      async () => {
        const scraped = await scrape();
        expect(readSeries(scraped, 'unwrite_requests{status="pending"}')).toBe('1');
        return scraped;
      },
      { timeout: 15_000, interval: 200 },
    );
    const responses = (route: string, status: number) =>
      Number(
        readSeries(
          text,
          `unwrite_http_request_duration_seconds_count{route="${route}",status="${status}"}`,
        ),
      );
    expect(responses('POST /requests', 201)).toBe(2);
    expect(responses('POST /requests', 409)).toBe(1);
    expect(responses('GET /requests/:subject_request_id', 200)).toBe(1);
    expect(responses('DELETE /requests/:subject_request_id', 202)).toBe(1);
    expect(responses('POST /oauth/token', 200)).toBe(1);
    expect(readSeries(text, 'unwrite_requests_created_total')).toBe('2');
    expect(readSeries(text, 'unwrite_requests_cancelled_total')).toBe('1');
    const oldest = Number(readSeries(text, 'unwrite_oldest_open_request_seconds'));
    expect(oldest).toBeLessThanOrEqual((Date.now() - began) / 1000);
    const left = Number(readSeries(text, 'unwrite_nearest_deadline_seconds{deadline="expected"}'));
    expect(left).toBeGreaterThan(29.9 * 86_400);
    expect(text).not.toContain('jane');
  });

  it('shows a pause, and stays ready', async () => {
    await service.installation.store.pauses.pause(EVERYTHING, {
      actor: 'operator:olga',
      now: Date.now(),
    });
    expect(readSeries(await scrape(), 'unwrite_paused{target="*"}')).toBe('1');
    expect((await fetch(`${management}/health/ready`)).status).toBe(200);
  });

  it('serves health, and nothing of the service itself', async () => {
    expect(await (await fetch(`${management}/health/live`)).json()).toEqual({ status: 'live' });
    expect((await fetch(`${management}/requests`)).status).toBe(404);
    expect((await fetch(`${management}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });
});
