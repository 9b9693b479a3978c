// Plays a case of several targets step by step. Rows are looked at around everything that Unwrite erases and that others do.
import { stringify } from 'yaml';
import type { Connector } from '../../../src/domain/target/connector.ts';
import { NotPossible } from '../../../src/domain/task/operator-ports.ts';
import type { TaskSummary } from '../../../src/domain/task/task.ts';
import type { CaseDatabase } from '../databases.ts';
import type { Fulfilment } from '../open-fulfilment.ts';
import { createRunOne } from './run-one.ts';
import type { RunRecord } from './run-record.ts';
import { createScene, type Scene, type Stage } from './scene.ts';
import { QUIET_RUN, type SeveralCase, type Step } from './several-case.ts';
import { writeSeveral } from './write-several.ts';

export interface PlayedSeveral {
  /** What the configuration or the gate has against it; nothing was done then. */
  readonly problems: readonly string[];
  readonly runs: readonly RunRecord[];
  /** Tasks of each request at the end, and whether it is said to be completed. */
  readonly tasks: readonly (readonly TaskSummary[])[];
  readonly completed: readonly boolean[];
}

const REFUSED = { runs: [], tasks: [], completed: [] };
const QUIET_ROUNDS = 14;
/** Shorter than what the gate says holds, longer than a lease. */
const PAUSE = 10 * 60 * 1000;
let cases = 0;

export async function runSeveral(
  generated: SeveralCase,
  databases: readonly CaseDatabase[],
  fulfilment: Fulfilment,
): Promise<PlayedSeveral> {
  const { tables, rows, targets } = generated;
  const no = ++cases;
  const places = databases.filter((_, place) => targets.some((one) => one.place === place));
  const tablesAt = (place: number) => tables.filter((table) => table.place === place);
  for (const [place, database] of databases.entries())
    if (places.includes(database)) await database.build({ tables: tablesAt(place), rows });
  const named = (name: string) => `${name}-${no}`;
  const written = writeSeveral(generated, databases, named);
  const read = fulfilment.readTargets(stringify(written));
  if (!('targets' in read)) return { ...REFUSED, problems: read };
  const configs = read.targets;
  const connectors = new Map<string, Connector>();
  try {
    const problems: string[] = [];
    for (const config of configs) {
      const connector = await fulfilment.connect(config);
      connectors.set(config.name, connector);
      const report = await connector.gate?.();
      if (report === undefined) throw new Error('there is no gate');
      problems.push(...report.problems.map(({ message }) => `${config.name}: ${message}`));
      // Nobody changes the schema, and asking takes as long as erasing.
      connectors.set(config.name, { ...connector, gate: async () => report });
    }
    if (problems.length > 0) return { ...REFUSED, problems };
    return await play(generated, { configs, connectors, databases, fulfilment });
  } finally {
    for (const connector of connectors.values()) await connector.close();
  }
}

async function play(generated: SeveralCase, stage: Stage): Promise<PlayedSeveral> {
  const scene = createScene(generated, stage);
  const runOne = createRunOne(scene);
  const { fulfilment, connectors } = stage;
  const { store, clock } = fulfilment;
  const withWork = async () =>
    (await store.targetsWithWork(clock.now)).filter((name) => connectors.has(name)).sort();

  async function run(step: Extract<Step, { does: 'run' }>): Promise<void> {
    const names = await withWork();
    const name = names[step.pick % Math.max(1, names.length)];
    if (name === undefined) return;
    await runOne(name, step, async () => {
      const others = (await withWork()).filter((one) => one !== name);
      const other = others[(step.meanwhile ?? 0) % Math.max(1, others.length)];
      if (step.meanwhile !== null && other !== undefined)
        await runOne(other, QUIET_RUN, async () => undefined);
    });
  }

  for (const step of generated.steps) {
    if (step.does === 'run') await run(step);
    else await doStep(generated, scene, step);
  }
  await doStep(generated, scene, { does: 'receive', request: 0 });
  for (let rounds = 0; rounds < QUIET_ROUNDS; rounds += 1) {
    clock.now += PAUSE;
    const names = await withWork();
    if (names.length === 0 && rounds > 1) break;
    for (const name of names) await runOne(name, QUIET_RUN, async () => undefined);
  }
  const completed: boolean[] = [];
  for (const request of scene.requests) {
    const status = request && (await fulfilment.scene.statusOf(request));
    completed.push(status === 'completed');
  }
  return { problems: [], runs: scene.runs, tasks: await scene.tasks(), completed };
}

async function doStep(
  generated: SeveralCase,
  scene: Scene,
  step: Exclude<Step, { does: 'run' }>,
): Promise<void> {
  const { fulfilment, configs, requests, given, released } = scene;
  const { clock, operator } = fulfilment;
  const by = { actor: 'operator:olga', now: clock.now };
  switch (step.does) {
    case 'change':
      return await scene.change(step.changes);
    case 'wait':
      clock.now += PAUSE;
      return;
    case 'receive': {
      const request = generated.requests[step.request];
      if (request === undefined || requests[step.request] !== undefined) return;
      requests[step.request] = await fulfilment.receiveAt(configs, request);
      return;
    }
    case 'identify': {
      const request = requests[step.request];
      if (request === undefined) return;
      const done = await unlessRefused(() => fulfilment.identify(request, step.identity));
      if (done) given[step.request]?.push(step.identity);
      return;
    }
    case 'release':
    case 'retain': {
      const held = (await scene.tasks()).flat().filter(({ state }) => state === 'held');
      const chosen = step.does === 'release' ? held : held.slice(0, 1);
      for (const { taskNo } of chosen) {
        const done = await unlessRefused(() =>
          step.does === 'release'
            ? operator.release(taskNo, by)
            : operator.retain(taskNo, { reason: 'the law', legalBasis: 'a law' }, by),
        );
        if (done && step.does === 'release') released.add(taskNo);
      }
    }
  }
}

/** Whether it was done. */
async function unlessRefused(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof NotPossible) return false;
    throw error;
  }
}
