// Examples from outside, as a controller and an operator meet them: the plans of the page in one
// configuration file, a server, requests by HTTP. Afterwards nothing of the person is left but what the
// example says, and every row of the others is as it was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeInstallation, type TestInstallation } from '../e2e/set-up/installation.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { compareRows } from './compare-rows.ts';
import { type Example, planOf, readSql } from './example.ts';
import { type ExampleDatabase, isThere, openExample, type Rows } from './example-database.ts';

interface OpenExample {
  readonly example: Example;
  readonly plan: string;
  readonly database: ExampleDatabase;
  /** Before the person came. */
  readonly before: Rows;
}

/** All of them by one server, since to start one takes longer than everything else. */
export async function describeExamples(examples: readonly Example[], where = ''): Promise<void> {
  const there: Example[] = [];
  for (const example of examples) if (await isThere[example.database]()) there.push(example);
  if (there.length === 0) return;

  describe(`the examples of docs/targets.md${where}`, { timeout: 60_000 }, () => {
    const folder = makeTemporaryFolder();
    const opened = new Map<Example, OpenExample>();
    let unwrite: TestInstallation;

    beforeAll(async () => {
      for (const example of there) opened.set(example, await open(example, folder.path));
      const all = [...opened.values()];
      unwrite = await makeInstallation(
        folder.path,
        `cancellation_window: 0s\ntargets:\n${all.map(({ plan }) => plan).join('')}`,
        Object.assign({}, ...all.map(({ database }) => database.environment)),
      );
      await unwrite.start();
    }, 60_000);

    afterAll(async () => {
      await unwrite?.kill('SIGTERM');
      for (const { database } of opened.values()) await database.close();
      folder.remove();
    }, 60_000);

    it.each(there.map((example) => [example.heading, example] as const))(
      'erase the person, and leave everybody else as they were: %s',
      async (_, example) => {
        const { before, database, plan } = opened.get(example) as OpenExample;
        expect(await problemsOf(unwrite, plan)).toEqual([]);
        expect(await erase(unwrite, example)).toBe('completed');
        const after = await database.everyRow();
        const { missing, added } = compareRows(before, after);
        expect(missing).toEqual({});
        expect(added).toEqual(example.left ?? {});
        expect(tracesIn(after, example)).toEqual([]);
      },
    );
  });
}

async function open(example: Example, folder: string): Promise<OpenExample> {
  const plan = planOf(example);
  const database = await openExample(example, folder);
  await database.run(readSql(example, 'schema'));
  await database.run(readSql(example, 'others'));
  const before = await database.everyRow();
  await database.run(readSql(example, 'person'));
  return { example, plan, database, before };
}

/** What `unwrite target check` says is wrong. */
async function problemsOf(unwrite: TestInstallation, plan: string): Promise<string[]> {
  const [, name = ''] = /^ {2}([\w-]+):$/m.exec(plan) ?? [];
  const { stdout, stderr } = await unwrite.print('target', 'check', name);
  return `${stdout}${stderr}`.split('\n').filter((line) => /^(?: {2}problem|Error)/i.test(line));
}

/** Answers the status, or what keeps it back. */
async function erase(unwrite: TestInstallation, example: Example): Promise<string> {
  const id = await unwrite.submit(example.controller, example.identities);
  let answer = '';
  const isOver = async () => {
    answer = await unwrite.status(example.controller, id);
    if (answer === 'completed') return true;
    const lines: { subject_request_id: string }[] = await unwrite.command(
      'request',
      'list',
      '--attention',
    );
    const line = lines.find((one) => one.subject_request_id === id);
    if (line !== undefined) answer = JSON.stringify(line);
    return line !== undefined;
  };
  await until(isOver, () => `${answer} ${unwrite.server().output().slice(-2000)}`);
  return answer;
}

function tracesIn(rows: Rows, { traces, kept = [] }: Example): string[] {
  return Object.entries(rows)
    .filter(([table]) => !kept.includes(table))
    .flatMap(([table, found]) => {
      const text = JSON.stringify(found).toLowerCase();
      return traces.filter((trace) => text.includes(trace)).map((trace) => `${table}: ${trace}`);
    });
}
