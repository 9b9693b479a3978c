/** Small rules: limits, deadlines, waits, keys, retries, and the programs of controllers. */
const SERVER = 'packages/server';
const server = (file) => `${SERVER}/src/${file}.ts`;
const test = (file) => `${SERVER}/test/${file}.test.ts`;

export const FAULTS = [
  {
    what: 'a day of a limit begins at noon',
    file: server('domain/limit/day'),
    find: 'Math.floor(time / DAY_MS)',
    replace: 'Math.round(time / DAY_MS)',
    caughtBy: [test('domain/limit/day')],
  },
  {
    what: 'the time of the law begins at the later of submission and receipt',
    file: server('domain/deadline/statutory-deadline'),
    find: 'Math.min(submitted, receivedTime)',
    replace: 'Math.max(submitted, receivedTime)',
    caughtBy: [test('domain/deadline/statutory-deadline')],
  },
  {
    what: 'a retry is delayed by up to one and three quarters of its time',
    file: server('domain/task/backoff'),
    find: '(0.75 + random() / 2)',
    replace: '(0.75 + random())',
    caughtBy: [test('domain/task/backoff')],
  },
  {
    what: 'failed sign-ins that another node counted count from their last, not their first',
    file: server('auth/failure-counts'),
    find: 'failures.since = Math.min(',
    replace: 'failures.since = Math.max(',
    caughtBy: [test('auth/failure-counts')],
  },
  {
    what: 'a key that could not be destroyed is tried again at once',
    file: server('domain/keys/master-keys'),
    find: '> now - DAY_MS;',
    replace: '> now;',
    caughtBy: [test('domain/keys/master-keys')],
  },
  {
    what: 'a certificate signs before its time',
    file: server('domain/certificate/validity'),
    find: 'return validFrom <= now && now <= validTo;',
    replace: 'return now <= validTo;',
    caughtBy: [test('domain/certificate/validity'), test('certificate/follow-certificate')],
  },
  {
    what: 'a clock that was set after it was found right is believed',
    file: server('retention/clock-guard'),
    find: 'passed < BELIEVED_MS && now - believed.now < BELIEVED_MS * 2',
    replace: 'passed < BELIEVED_MS',
    caughtBy: [test('retention/clock-guard')],
  },
  {
    what: 'the write-ahead log keeps what was forgotten',
    file: server('retention/forget-chore'),
    find: '        shredded();\n',
    replace: '',
    caughtBy: [test('retention/chores')],
  },
  {
    what: 'each node grants the whole rate',
    file: server('http/limits/rate-limit'),
    find: '    const time = now();\n    const share = Math.max(1, perMinute / nodes());',
    replace: '    const time = now();\n    const share = Math.max(1, perMinute);',
    caughtBy: [test('http/limits/rate-limit')],
  },
  {
    what: 'the hour in which a target closes is open for a minute',
    file: server('domain/target/hours'),
    find: 'minute >= from && minute < to :',
    replace: 'minute >= from && minute <= to :',
    caughtBy: [test('domain/target/hours')],
  },
  {
    what: 'what a crash has cut off stays in the journal',
    file: 'packages/opendsr/src/submit/journal.ts',
    find: '    await file.truncate(size);\n',
    replace: '',
    caughtBy: ['packages/opendsr/test/submit/run-again.test.ts'],
  },
  {
    what: 'a call waits for less than the processor asked for',
    file: 'packages/client/src/retry.ts',
    find: 'Math.max(asked, backoff)',
    replace: 'Math.min(asked, backoff)',
    caughtBy: ['packages/client/test/submit.test.ts'],
  },
  {
    what: 'a lost answer is forgotten by the next attempt',
    file: 'packages/client/src/retry.ts',
    find: 'wasUnclear ||=',
    replace: 'wasUnclear =',
    caughtBy: ['packages/client/test/submit.test.ts', 'packages/client/test/calls.test.ts'],
  },
  {
    what: 'an answer of 504 is not repeated',
    file: 'packages/client/src/retry.ts',
    find: ' || status === 504;',
    replace: ';',
    caughtBy: ['packages/client/test/submit.test.ts'],
  },
];
