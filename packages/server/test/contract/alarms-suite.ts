// What every store must do for alarms: conditions, deadlines, and bringing them to the webhook.
import { describe, expect, it } from 'vitest';
import { lookAtDeadlines } from '../../src/alarms/look-at-deadlines.ts';
import { type Alarm, anAlarm, GIVEN_UP } from '../../src/domain/alarm/alarm.ts';
import type { ConditionLimits } from '../../src/domain/alarm/alarm-ports.ts';
import { dayOf } from '../../src/domain/limit/day.ts';
import { ACME, DAY, GLOBEX, MINUTE, NOON, type OpenRecords } from './records/under-test.ts';
import { type RecordsInUse, useRecords } from './records/use-records.ts';

const LIMITS: ConditionLimits = { maxStartsPerDay: 10, notFoundPercent: 20, summaryAt: null };
const TODAY = dayOf(NOON);

function describeConditions(use: () => RecordsInUse): void {
  const count = (what: string, whose: string, count: number, day = TODAY) =>
    use().under.insert('daily_counts', { day, what, whose, count });
  const wrong = async (now = NOON, limits: ConditionLimits | null = LIMITS) => {
    const none = { maxStartsPerDay: null, notFoundPercent: null, summaryAt: null };
    const alarms = await use().node.conditions.conditions(limits ?? none, now);
    return alarms.map(({ kind, subject }) => `${kind} ${subject}`);
  };

  it("are raised when today's limit is reached", async () => {
    await count('starts', ACME, 9);
    await count('starts', GLOBEX, 10);
    await count('starts', ACME, 10, TODAY - 1);
    await count('starts', ACME, 99, -1);
    await count('deferred', 'crm', 1);
    expect(await wrong()).toEqual([`daily_starts globex ${TODAY}`, `daily_rows crm ${TODAY}`]);
    expect(await wrong(NOON, null)).toEqual([`daily_rows crm ${TODAY}`]);
    expect(await wrong(NOON + DAY)).toEqual([]);
  });

  it('are raised when too many requests of a day were found nowhere, also for yesterday', async () => {
    await count('completed', ACME, 20);
    await count('nowhere', ACME, 4);
    expect(await wrong()).toEqual([]);
    await count('completed', GLOBEX, 20, TODAY - 1);
    await count('nowhere', GLOBEX, 5, TODAY - 1);
    expect(await wrong()).toEqual([`not_found globex ${TODAY - 1}`]);
    expect(await wrong(NOON, { ...LIMITS, notFoundPercent: 19.5 })).toHaveLength(2);
    expect(await wrong(NOON + DAY)).toEqual([]);
  });

  it('say nothing about a handful that was found nowhere', async () => {
    await count('completed', ACME, 19);
    await count('nowhere', ACME, 19);
    expect(await wrong()).toEqual([]);
  });

  it('summarise the day once it is time', async () => {
    const summary = { maxStartsPerDay: null, notFoundPercent: null, summaryAt: 11 * 3_600_000 };
    expect(await wrong(NOON, { ...summary, summaryAt: 13 * 3_600_000 })).toEqual([]);
    const [alarm] = await use().node.conditions.conditions(summary, NOON);
    expect(alarm?.message).toBe(
      'open requests: 0; due within three days: 0; tasks that wait for a decision: 0; completed yesterday: 0, 0 of them found at no target',
    );
    await use().node.conditions.raise([alarm ?? anAlarm('held', '', '', NOON)]);
    expect(await wrong(NOON, summary)).toEqual([]);
  });

  it('report a target that is down for over an hour', async () => {
    const down = { code: 'unreachable', detail: 'gone', failures: 1, probe_time: 0 };
    const opened = NOON - 60 * MINUTE;
    await use().under.insert('circuits', { target: 'crm', ...down, opened_time: opened });
    await use().under.insert('circuits', { target: 'shop', ...down, opened_time: opened + 1 });
    expect(await wrong()).toEqual([`target_down crm ${opened}`]);
    const [alarm] = await use().node.conditions.conditions(LIMITS, NOON);
    expect(alarm).toMatchObject({ target: 'crm', message: expect.stringContaining('unreachable') });
  });

  it('are raised at once for a target that its check refuses, with the problem, and once', async () => {
    const { node, under } = use();
    const refused = { code: 'target_refused', failures: 1, probe_time: 0, opened_time: NOON };
    const detail = 'orders: has no primary key';
    await under.insert('circuits', { target: 'shop', ...refused, detail });
    const alarms = await node.conditions.conditions(LIMITS, NOON);
    expect(alarms).toMatchObject([
      {
        kind: 'target_refused',
        target: 'shop',
        message: expect.stringContaining(detail),
      },
    ]);
    await node.conditions.raise(alarms);
    expect(await wrong()).toEqual([]);
    // Of another target that is refused since the very same moment, too.
    await under.insert('circuits', { target: 'till', ...refused, detail });
    expect(await wrong()).toEqual([`target_refused till ${NOON}`]);
    await node.conditions.raise(await node.conditions.conditions(LIMITS, NOON));
    // It is refused, and not down, however long that takes.
    expect(await wrong(NOON + DAY)).toEqual([]);
    await under.update('circuits', { target: 'shop' }, { opened_time: NOON + 1 });
    expect(await wrong(NOON + 59 * MINUTE)).toEqual([]);
    expect(await wrong(NOON + 61 * MINUTE)).toEqual([`target_refused shop ${NOON + 1}`]);
  });

  it('about what others wrote are raised though others have written, and ended, the same one', async () => {
    const { node, other, under } = use();
    const alarm = anAlarm('row_refused', 'request 20000 an-id', 'somebody wrote', NOON);
    await under.insert('alarms', {
      kind: alarm.kind,
      subject: alarm.subject,
      percent: 0,
      message: 'nothing',
      raised_time: 0,
      delivered_time: 0,
    });
    expect(await node.conditions.raise([alarm])).toHaveLength(1);
    expect(await other.conditions.raise([alarm])).toEqual([]);
    const subjects = (await under.rows('alarms')).map(({ subject }) => String(subject));
    expect(subjects.toSorted()[1]).toMatch(/^request 20000 an-id [0-9a-f]{12}$/);
  });

  it('are raised once by any node, and are not due any more then', async () => {
    const { node, other } = use();
    await count('starts', ACME, 10);
    await count('starts', GLOBEX, 10);
    await count('deferred', 'crm', 1);
    const found = await node.conditions.conditions(LIMITS, NOON);
    const raised = await Promise.all(
      [node, other, node, other].map((one) => one.conditions.raise(found)),
    );
    expect(raised.flat()).toHaveLength(3);
    expect(await wrong()).toEqual([]);
    expect(await node.conditions.raise([])).toEqual([]);
    const again = anAlarm('worker_failing', 'worker', 'it fails', NOON);
    expect(await node.conditions.raise([again, again])).toEqual([again]);
    const listed = await other.alarms.alarms({ limit: 2 });
    expect(listed.map(({ kind }) => kind)).toEqual(['worker_failing', 'daily_rows']);
    expect(await other.alarms.alarms({ kind: 'daily_starts', limit: 9 })).toHaveLength(2);
    expect(await other.alarms.alarms({ raisedAfter: NOON, limit: 9 })).toEqual([]);
  });
}

function describeDeadlines(use: () => RecordsInUse): void {
  /** What the chore does; answers what was raised. */
  async function look(now: number, { watch } = use().node): Promise<string[]> {
    if (!(await watch.hasToLook(now))) return [];
    const raised = await watch.look(now, (request) => lookAtDeadlines(request, now));
    return raised.map(({ kind, percent }) => `${kind} ${percent}`);
  }

  const both = (percent: number) => [
    `expected_deadline ${percent}`,
    `statutory_deadline ${percent}`,
  ];

  it('are raised when their time has come, once each', async () => {
    const { records, node } = use();
    const first = await records.request();
    const { requestNo } = await records.request({ status: 'in_progress' });
    expect(await look(NOON + 14 * DAY)).toEqual([]);
    expect((await look(NOON + 16 * DAY)).sort()).toEqual(both(50));
    expect(await look(NOON + 16 * DAY)).toEqual([]);
    expect((await look(NOON + 40 * DAY)).sort()).toEqual(both(100));
    const listed = await node.alarms.alarms({ limit: 99 });
    expect(listed.map(({ count }) => count)).toEqual(Array(4).fill(2));
    expect(
      listed.every((alarm) => [first.requestNo, requestNo].includes(Number(alarm.requestNo))),
    ).toBe(true);
    expect(listed.every((alarm) => alarm.subjectRequestId !== null)).toBe(true);
    expect(await look(NOON + 400 * DAY)).toEqual([]);
  });

  it('are not raised for requests that are completed, cancelled or gone', async () => {
    const { records, under } = use();
    const { requestNo } = await records.request();
    const gone = await records.request();
    await look(NOON + 13 * DAY);
    expect(await under.rows('watched_requests')).toHaveLength(2);
    const changes = { status: 'completed', completed_time: NOON };
    await under.update('requests', { request_no: requestNo }, changes);
    const cancelled = { status: 'cancelled', cancelled_time: NOON };
    await under.update('requests', { request_no: gone.requestNo }, cancelled);
    expect(await look(NOON + 40 * DAY)).toEqual([]);
    expect(await under.rows('watched_requests')).toEqual([]);
  });

  it('are raised soon if the request was submitted long ago', async () => {
    const { records } = use();
    await records.request({ submitted_time: '2020-01-01T00:00:00Z' });
    await records.request({ submitted_time: 'no time at all' });
    const raised = [...(await look(NOON + MINUTE)), ...(await look(NOON + 4 * MINUTE))];
    expect(raised).toEqual(['statutory_deadline 100']);
  });

  it('count from the operator’s request if a completed request is erased again', async () => {
    const { records } = use();
    const again = { again_asked_time: NOON + 20 * DAY, shredded_time: null };
    await records.completed({ receipted_time: NOON, ...again });
    await look(NOON + 20 * DAY);
    expect(await look(NOON + 31 * DAY)).toEqual([]);
    await look(NOON + 33 * DAY);
    expect(await look(NOON + 36 * DAY)).toEqual(['erase_again_deadline 50']);
    expect(await look(NOON + 51 * DAY)).toEqual(['erase_again_deadline 100']);
  });

  it('cause no work if no deadline comes near', async () => {
    const { records, node } = use();
    expect(await node.watch.hasToLook(NOON)).toBe(false);
    await records.request();
    for (let minute = 0; minute < 5; minute++) await look(NOON + minute * MINUTE);
    for (let day = 1; day < 12; day++) {
      expect(await node.watch.hasToLook(NOON + day * DAY)).toBe(false);
    }
  });

  it('are raised once by two nodes that check at the same time', async () => {
    const { records, node, other } = use();
    for (let n = 0; n < 10; n++) await records.request();
    const now = NOON + 40 * DAY;
    const looks = [node, other, node, other].map(({ watch }) =>
      watch.look(now, (request) => lookAtDeadlines(request, now)),
    );
    expect((await Promise.all(looks)).flat()).toHaveLength(2);
    const listed = await node.alarms.alarms({ limit: 999 });
    expect(listed.map(({ count }) => count)).toEqual([10, 10]);
  });
}

function describeDelivery(use: () => RecordsInUse): void {
  const raise = (subject: string, percents: number[], raisedTime = NOON) =>
    use().node.conditions.raise(
      percents.map((percent) =>
        anAlarm('expected_deadline', subject, 'late', raisedTime, { percent }),
      ),
    );
  const namesOf = (alarms: readonly Alarm[]) => alarms.map((it) => `${it.subject} ${it.percent}`);
  const take = (now = NOON) => use().other.delivery.take(now, now + MINUTE);

  it('groups the alarms of one subject, in order, until they are delivered', async () => {
    const { delivery } = use().node;
    expect(await delivery.hasToDeliver(NOON)).toBe(false);
    expect(await take()).toEqual([]);
    await raise('request 1', [50, 80]);
    await raise('request 2', [50]);
    await raise('request 1', [95], NOON + 1);
    expect(await delivery.hasToDeliver(NOON)).toBe(true);
    const all = [['request 1 50', 'request 1 80', 'request 1 95'], ['request 2 50']];
    for (const expected of all) {
      const taken = await take();
      expect(namesOf(taken)).toEqual(expected);
      await delivery.delivered(taken, NOON);
    }
    expect(await delivery.hasToDeliver(NOON)).toBe(false);
    const listed = await use().node.alarms.alarms({ limit: 9 });
    expect(listed.every(({ deliveredTime }) => deliveredTime === NOON)).toBe(true);
  });

  it('takes the most severe first, and what has grown an hour later', async () => {
    const { node, under } = use();
    await raise('acme 1', [50, 100]);
    await node.conditions.raise([anAlarm('target_down', 'crm 1', 'it is down', NOON)]);
    await node.conditions.raise([anAlarm('worker_failing', 'day 1', 'it fails', NOON)]);
    for (const expected of [['day 1 0'], ['crm 1 0']]) {
      const taken = await take();
      expect(namesOf(taken)).toEqual(expected);
      await node.delivery.delivered(taken, NOON);
    }
    const sent = await take();
    await under.update('alarms', { subject: 'acme 1', percent: 100 }, { count: 7 });
    await node.delivery.delivered(sent, NOON);
    expect(await node.delivery.hasToDeliver(NOON + 59 * MINUTE)).toBe(false);
    expect(await node.delivery.hasToDeliver(NOON + 60 * MINUTE)).toBe(true);
    expect(namesOf(await take(NOON + 60 * MINUTE))).toEqual(['acme 1 100']);
  });

  it('is the turn of one node, until it has ended or the time is over', async () => {
    const { node, other } = use();
    await raise('request 1', [50]);
    await raise('request 2', [50]);
    const both = [node, other, node, other].map(({ delivery }) =>
      delivery.take(NOON, NOON + MINUTE),
    );
    const taken = (await Promise.all(both)).flat();
    expect(taken).toHaveLength(1);
    expect(await other.delivery.hasToDeliver(NOON)).toBe(false);
    expect(await take()).toEqual([]);
    // By e-mail, it is another one.
    expect(await other.mailing.take(NOON, NOON + MINUTE)).toHaveLength(1);
    // The node has died.
    expect(namesOf(await take(NOON + MINUTE))).toEqual(namesOf(taken));
    await node.delivery.delivered(taken, NOON + MINUTE);
    expect(namesOf(await take(NOON + MINUTE))).not.toEqual(namesOf(taken));
  });

  it('waits longer after each failure, which all nodes count together', async () => {
    const { node, other } = use();
    await raise('request 1', [50]);
    const retryTime = (failures: number) => NOON + failures * MINUTE;
    expect(await node.delivery.deliveryFailed(retryTime)).toBe(1);
    expect(await other.delivery.deliveryFailed(retryTime)).toBe(2);
    expect(await node.delivery.hasToDeliver(NOON + MINUTE)).toBe(false);
    expect(await node.delivery.hasToDeliver(NOON + 2 * MINUTE)).toBe(true);
    // A retry that is further away than any was put off by a clock that is set back now.
    expect(await node.delivery.hasToDeliver(NOON - DAY)).toBe(true);
    await node.delivery.delivered([], NOON);
    expect(await node.delivery.hasToDeliver(NOON)).toBe(true);
    expect(await node.delivery.deliveryFailed(retryTime)).toBe(1);
  });

  it('by e-mail has its own progress', async () => {
    const { delivery, mailing, alarms } = use().node;
    await raise('request 1', [50]);
    await delivery.deliveryFailed(() => NOON + DAY);
    expect(await mailing.hasToDeliver(NOON)).toBe(true);
    await mailing.delivered(await mailing.take(NOON, NOON + MINUTE), NOON);
    expect(await mailing.hasToDeliver(NOON)).toBe(false);
    expect(await take()).toHaveLength(1);
    expect((await alarms.alarms({ limit: 1 }))[0]?.deliveredTime).toBe(NOON);
  });

  it('gives up what is old', async () => {
    const { delivery, alarms } = use().node;
    await raise('request 1', [50]);
    await raise('request 2', [50], NOON + 1);
    await delivery.giveUp(NOON + 1);
    expect(namesOf(await take())).toEqual(['request 2 50']);
    const [, first] = await alarms.alarms({ limit: 9 });
    expect(first?.deliveredTime).toBe(GIVEN_UP);
  });
}

export function describeAlarms(name: string, openRecords: OpenRecords): void {
  describe(`alarms in ${name}`, () => {
    const use = useRecords(openRecords);
    describe('conditions', () => describeConditions(use));
    describe('deadlines', () => describeDeadlines(use));
    describe('delivery', () => describeDelivery(use));
  });
}
