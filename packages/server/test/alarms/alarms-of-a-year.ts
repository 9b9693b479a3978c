// A year of so many requests, looked at so often: every alarm in time, none missed, none twice.
import { expect } from 'vitest';
import { STAGES, stageTime } from '../../src/alarms/look-at-deadlines.ts';
import { expectedCompletion } from '../../src/domain/deadline/expected-completion.ts';
import { statutoryLimit } from '../../src/domain/deadline/statutory-deadline.ts';
import { DAY, HOUR } from '../contract/fulfilment/under-test.ts';
import { openAlarmWorld } from './alarm-world.ts';

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

function lives(count: number): Life[] {
  const random = randoms(42);
  return Array.from({ length: count }, (_, index) => {
    const receivedTime = START + Math.floor((index / count) * (YEAR - 60 * DAY));
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
    statutory_deadline: statutoryLimit({
      regulation,
      submittedTime,
      receivedTime,
      extendedUntil: null,
    }),
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

export interface YearSize {
  readonly requests: number;
  /** Between two looks. */
  readonly stepMs: number;
}

export async function expectEveryAlarmOfAYear({ requests, stepMs }: YearSize): Promise<void> {
  const world = await openAlarmWorld(START);
  const { database, clock } = world;
  const all = lives(requests);
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
  let [created, ended] = [0, 0];
  while (clock.now < START + YEAR) {
    clock.now += stepMs;
    for (let one = all[created]; one && one.receivedTime <= clock.now; one = all[++created])
      insert.run(String(one.requestNo), one.regulation, one.submittedTime, one.receivedTime);
    for (let one = ends[ended]; one && one.completedTime <= clock.now; one = ends[++ended])
      complete.run(one.completedTime, one.requestNo);
    if (clock.now < DOWN.from || clock.now >= DOWN.until) await world.look();
  }

  const expected = new Map(all.flatMap((life) => [...dueAlarms(life, clock.now - stepMs)]));
  const raised = new Map(
    world.reached.map((it) => [`${it.kind} ${it.requestNo} ${it.percent}`, it.time]),
  );
  expect(raised.size).toBe(world.reached.length);
  const missed = [...expected].filter(([key]) => !raised.has(key));
  // One that is completed between its stage and the next look need not be told, nor one whose next stage is told by then.
  const excused = missed.filter(([key, time]) => {
    const [kind, requestNo, percent] = key.split(' ');
    const life = all[Number(requestNo) - 1];
    const isEnded = life !== undefined && life.completedTime - time <= 2 * stepMs;
    const later = STAGES.filter((stage) => stage > Number(percent));
    const times = later.map((stage) => raised.get(`${kind} ${requestNo} ${stage}`));
    return isEnded || times.some((at) => at !== undefined && at - time <= 2 * stepMs);
  });
  expect(missed.length - excused.length).toBe(0);
  const late = [...expected].filter(([key, time]) => (raised.get(key) ?? time) - time > 2 * stepMs);
  expect(late).toEqual([]);
  const tooMany = [...raised].filter(
    ([key, time]) => !expected.has(key) && time < clock.now - stepMs,
  );
  expect(tooMany).toEqual([]);
  expect(world.reached.length).toBeGreaterThan(requests / 2);
  // What is told says how many, and leaves none out.
  const counted = database.prepare('SELECT sum(count) AS count FROM alarms').get()?.count;
  expect(counted).toBe(world.reached.length);
  expect(world.told.length).toBeLessThanOrEqual(world.reached.length);
  expect(world.posted.length).toBeLessThanOrEqual(world.told.length);
  await world.close();
}
