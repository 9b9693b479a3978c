// A year of ten thousand requests: every alarm in time, none missed, none twice.
import { expect, it } from 'vitest';
import { STAGES, stageTime } from '../../src/alarms/look-at-deadlines.ts';
import { expectedCompletion } from '../../src/domain/expected-completion.ts';
import { statutoryLimit } from '../../src/domain/statutory-deadline.ts';
import { DAY, HOUR, MINUTE } from '../contract/fulfilment/under-test.ts';
import { openAlarmWorld } from './alarm-world.ts';

const REQUESTS = 10_000;
const START = Date.parse('2027-06-01T00:00:00Z');
const YEAR = 366 * DAY;
/** Days on which the server is down. */
const DOWN = { from: START + 200 * DAY, until: START + 206 * DAY };

interface Life {
  readonly requestNo: number;
  readonly regulation: 'gdpr' | 'ccpa';
  readonly submittedTime: string;
  readonly receivedTime: number;
  /** When it is completed; never, for some. */
  readonly completedTime: number;
}

/** The same on every run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function lives(): Life[] {
  const random = randoms(42);
  return Array.from({ length: REQUESTS }, (_, index) => {
    const receivedTime = START + Math.floor((index / REQUESTS) * (YEAR - 60 * DAY));
    const kind = random();
    const before = kind < 0.8 ? random() * HOUR : kind < 0.95 ? random() * 40 * DAY : -DAY;
    const days = random() < 0.7 ? 2 : random() < 0.9 ? 60 * random() : Number.POSITIVE_INFINITY;
    return {
      requestNo: index + 1,
      regulation: random() < 0.5 ? 'gdpr' : 'ccpa',
      submittedTime: new Date(receivedTime - before).toISOString(),
      receivedTime,
      completedTime: Math.floor(receivedTime + days * DAY),
    };
  });
}

function dueAlarms(life: Life, until: number): Map<string, number> {
  const { requestNo, regulation, submittedTime, receivedTime } = life;
  const due = new Map<string, number>();
  const limits = {
    expected_deadline: { start: receivedTime, end: expectedCompletion(receivedTime) },
    statutory_deadline: statutoryLimit(regulation, submittedTime, receivedTime),
  };
  for (const [kind, limit] of Object.entries(limits)) {
    for (const percent of STAGES) {
      const time = Math.max(stageTime(limit, percent), receivedTime);
      const down = time >= DOWN.from && time < DOWN.until;
      const seen = down ? DOWN.until : time;
      if (seen < life.completedTime && seen <= until)
        due.set(`${kind} ${requestNo} ${percent}`, seen);
    }
  }
  return due;
}

it('a year of ten thousand requests raises every alarm in time and none twice', async () => {
  const world = await openAlarmWorld(START);
  const { database, clock } = world;
  const all = lives();
  const insert = database.prepare(`
    INSERT INTO requests (controller_id, subject_request_id, status, regulation, submitted_time,
      received_time, created_by, identity_count)
    VALUES ('acme', ?, 'pending', ?, ?, ?, 'client:one', 1)`);
  const complete = database.prepare(
    "UPDATE requests SET status = 'completed', completed_time = ? WHERE request_no = ?",
  );
  const ends = all
    .filter(({ completedTime }) => completedTime < START + YEAR)
    .toSorted((a, b) => a.completedTime - b.completedTime);
  const STEP = 20 * MINUTE;
  let [created, ended] = [0, 0];
  while (clock.now < START + YEAR) {
    clock.now += STEP;
    for (let one = all[created]; one && one.receivedTime <= clock.now; one = all[++created])
      insert.run(String(one.requestNo), one.regulation, one.submittedTime, one.receivedTime);
    for (let one = ends[ended]; one && one.completedTime <= clock.now; one = ends[++ended])
      complete.run(one.completedTime, one.requestNo);
    if (clock.now < DOWN.from || clock.now >= DOWN.until) await world.look();
  }

  const expected = new Map(all.flatMap((life) => [...dueAlarms(life, clock.now - STEP)]));
  const raised = new Map(
    world.told.map((it) => [`${it.kind} ${it.requestNo} ${it.percent}`, it.raisedTime]),
  );
  expect(raised.size).toBe(world.told.length);
  const missed = [...expected].filter(([key]) => !raised.has(key));
  // One that is completed between its stage and the next look need not be told.
  const excused = missed.filter(([key, time]) => {
    const life = all[Number(key.split(' ')[1]) - 1];
    return life !== undefined && life.completedTime - time <= 2 * STEP;
  });
  expect(missed.length - excused.length).toBe(0);
  const late = [...expected].filter(([key, time]) => (raised.get(key) ?? time) - time > 2 * STEP);
  expect(late).toEqual([]);
  const tooMany = [...raised].filter(
    ([key, time]) => !expected.has(key) && time < clock.now - STEP,
  );
  expect(tooMany).toEqual([]);
  expect(world.told.length).toBeGreaterThan(5000);
  expect(world.posted.length).toBeLessThanOrEqual(world.told.length);
  await world.close();
}, 60_000);
