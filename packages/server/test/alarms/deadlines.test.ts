import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DAY,
  erasedOutcome,
  GLOBEX,
  HOUR,
  planned,
  START,
} from '../contract/fulfilment/under-test.ts';
import { type AlarmWorld, openAlarmWorld } from './alarm-world.ts';

let world: AlarmWorld;

beforeEach(async () => {
  world = await openAlarmWorld();
});
afterEach(() => world.close());

const stages = (kind: string) =>
  world.told.filter((alarm) => alarm.kind === kind).map(({ percent }) => percent);

async function backDated(count: number): Promise<void> {
  const insert = world.database.prepare(`
    INSERT INTO requests (controller_id, subject_request_id, status, regulation, submitted_time,
      received_time, created_by, identity_count)
    VALUES ('acme', ?, 'pending', 'gdpr', '1970-01-01T00:00:00Z', ?, 'client:one', 1)`);
  world.database.exec('BEGIN');
  for (let n = 0; n < count; n++) insert.run(randomUUID(), world.clock.now);
  world.database.exec('COMMIT');
}

describe('deadlines', () => {
  it('are reported at 50, 80, 95 and 100 percent, once each, and never again', async () => {
    await world.scene.started([planned('paper')]);
    await world.pass(14.9 * DAY, HOUR);
    expect(world.told).toEqual([]);
    await world.pass(0.2 * DAY, HOUR);
    expect([...stages('expected_deadline'), ...stages('statutory_deadline')]).toEqual([50, 50]);
    await world.pass(20 * DAY, HOUR);
    expect(stages('expected_deadline')).toEqual([50, 80, 95, 100]);
    expect(stages('statutory_deadline')).toEqual([50, 80, 95, 100]);
    const { length } = world.told;
    await world.pass(300 * DAY, DAY);
    expect(world.told).toHaveLength(length);
  });

  it('are reported and delivered even if someone deletes the progress of alarms', async () => {
    await world.scene.started([planned('paper')]);
    await world.pass(14.9 * DAY, HOUR);
    world.database.exec('DELETE FROM alarm_progress');
    await world.pass(0.2 * DAY, HOUR);
    expect([...stages('expected_deadline'), ...stages('statutory_deadline')]).toEqual([50, 50]);
    expect(world.posted).toHaveLength(2);
  });

  it('count for requests that are still pending as well', async () => {
    await world.scene.create();
    await world.pass(31 * DAY, HOUR);
    expect(stages('expected_deadline')).toEqual([50, 80, 95, 100]);
  });

  it('are not reported for requests that are completed or cancelled', async () => {
    const done = await world.scene.started([planned('crm')]);
    const cancelled = await world.scene.create();
    await world.under.requests.cancel({ ...cancelled, actor: 'client:one' });
    await world.scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    expect(await world.scene.statusOf(done)).toBe('completed');
    await world.pass(60 * DAY, DAY);
    expect(world.told).toEqual([]);
  });

  it('are reported by one alarm each, of the last stage, if the server was down for weeks', async () => {
    await world.scene.started([planned('paper')]);
    world.clock.now += 40 * DAY;
    await world.look();
    expect(stages('expected_deadline')).toEqual([100]);
    expect(
      world.posted.map(({ kind, percent, percents }) => ({ kind, percent, percents })),
    ).toEqual([
      { kind: 'statutory_deadline', percent: 100, percents: [100] },
      { kind: 'expected_deadline', percent: 100, percents: [100] },
    ]);
  });

  it('are reported within minutes of receipt if the request was submitted long ago', async () => {
    await world.scene.create({ submittedTime: '2020-01-01T00:00:00Z' });
    await world.pass(2 * 60_000, 60_000);
    expect(stages('statutory_deadline')).toEqual([100]);
    expect(stages('expected_deadline')).toEqual([]);
  });

  it('are not moved by a clock that is a day off now, either way', async () => {
    await world.scene.started([planned('paper')]);
    await world.pass(14 * DAY, HOUR);
    world.clock.now -= DAY;
    await world.look();
    world.clock.now += 2 * DAY;
    await world.look();
    world.clock.now -= DAY;
    await world.pass(20 * DAY, HOUR);
    expect(stages('expected_deadline')).toEqual([50, 80, 95, 100]);
    expect(new Set(world.told.map(({ deadline }) => deadline))).toEqual(
      new Set([START + 30 * DAY, Date.parse('2026-12-15T02:00:00Z')]),
    );
  });

  it('thousands of deadlines at one moment are all reported', async () => {
    const insert = world.database.prepare(`
      INSERT INTO requests (controller_id, subject_request_id, status, regulation, submitted_time,
        received_time, created_by, identity_count)
      VALUES ('acme', ?, 'pending', 'gdpr', '2026-11-15T02:00:00Z', ?, 'client:one', 1)`);
    world.database.exec('BEGIN');
    for (let n = 0; n < 7000; n++) insert.run(`id ${n}`, START + (n < 6000 ? 0 : n));
    world.database.exec('COMMIT');
    await world.pass(16 * DAY, DAY);
    const near = world.reached.filter(({ kind }) => kind === 'expected_deadline');
    expect(new Set(near.map(({ requestNo }) => requestNo)).size).toBe(7000);
    expect(near).toHaveLength(7000);
    // They come in pages, and a day lies between two.
    expect(stages('expected_deadline')).toEqual([50, 50]);
    const listed = world.database.prepare('SELECT sum(count) AS count FROM alarms').get();
    expect(listed).toEqual({ count: 14_000 });
  });

  it('many requests of one day are reported in a handful of messages, with their number', async () => {
    await backDated(2000);
    await world.pass(5 * 60_000, 60_000);
    expect(world.told.map(({ percent, count }) => [percent, count])).toEqual([[100, 2000]]);
    expect(world.posted).toHaveLength(1);
    expect(world.posted[0]).toMatchObject({
      kind: 'statutory_deadline',
      percent: 100,
      percents: [100],
      count: 2000,
      controller_id: 'acme',
      deadline: '1970-02-01T00:00:00.000Z',
      message: expect.stringContaining('2000 requests of this controller'),
    });
  });

  it('a growing number of requests is reported again, at most every hour', async () => {
    await backDated(10);
    await world.pass(2 * 60_000, 60_000);
    for (let hour = 0; hour < 3; hour++) {
      for (let minute = 0; minute < 60; minute += 5) {
        await backDated(10);
        await world.pass(5 * 60_000, 60_000);
      }
    }
    expect(world.posted.length).toBeLessThanOrEqual(5);
    expect(world.told.length).toBeLessThanOrEqual(5);
    await world.pass(61 * 60_000, 60_000);
    expect(world.posted.at(-1)).toMatchObject({ count: 370 });
    expect(world.posted.length).toBeLessThanOrEqual(6);
  });

  it('alarms of another controller, and of outages, do not wait behind them', async () => {
    await backDated(3000);
    await world.scene.create({ controllerId: GLOBEX, submittedTime: '1970-01-01T00:00:00Z' });
    world.webhook.answer = { ok: false, reason: 'away' };
    await world.pass(3 * 60_000, 60_000);
    world.database.exec(`INSERT INTO circuits (target, code, detail, failures, opened_time, probe_time)
      VALUES ('crm', 'unreachable', 'gone', 9, ${world.clock.now - 2 * HOUR}, 0)`);
    await world.pass(60_000, 10_000);
    world.posted.length = 0;
    world.webhook.answer = { ok: true, answer: 'the webhook answered 200' };
    await world.pass(60 * 60_000, 60_000);
    expect(world.posted.map((it) => `${it.kind} ${it.controller_id ?? it.target}`)).toEqual([
      'target_down crm',
      'statutory_deadline acme',
      'statutory_deadline globex',
    ]);
  });

  it('cause no work if no deadline comes near', async () => {
    await world.scene.create();
    await world.look();
    const runs = world.runs();
    await world.pass(11 * DAY, HOUR);
    expect(world.runs()).toBe(runs);
  });

  it('count from the operator’s request if a completed request is erased again', async () => {
    const request = await world.scene.started([planned('crm')]);
    await world.scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    world.clock.now += 20 * DAY;
    world.database
      .prepare('UPDATE requests SET again_asked_time = ? WHERE subject_request_id = ?')
      .run(world.clock.now, request.subjectRequestId);
    await world.pass(31 * DAY, HOUR);
    expect(world.told.map(({ kind, percent }) => `${kind} ${percent}`)).toEqual(
      [50, 80, 95, 100].map((percent) => `erase_again_deadline ${percent}`),
    );
  });
});
