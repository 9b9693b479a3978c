// Where a server's threads spend their processor time, by folder of the source.
//   npx node bench/steps.ts FOLDER [--requests 6000] [--functions]
// FOLDER: profiles that `bench/versions.ts --only worker --profiles FOLDER` has written; `--requests`: how many requests
// they are about, with the warm-up. Built-in functions count for the file that calls them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { functionName: string; url: string; lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '6000' },
    functions: { type: 'boolean', default: false },
  },
});
const [folder = '.'] = positionals;
const spent = new Map<string, number>();
const SOURCE = 'packages/server/src/';

for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(
    readFileSync(join(folder, file), 'utf8'),
  );
  const stepOf = new Map<number, string>();
  for (const { id, callFrame, children = [] } of nodes) {
    const { functionName, url, lineNumber } = callFrame;
    const at = url.indexOf(SOURCE);
    const path = at === -1 ? undefined : url.slice(at + SOURCE.length);
    const name = values.functions
      ? `${path}:${lineNumber + 1} ${functionName}`
      : path?.slice(0, path.lastIndexOf('/'));
    const own = path === undefined ? (stepOf.get(id) ?? functionName) : (name ?? '');
    stepOf.set(id, own);
    for (const child of children) if (own !== '(root)') stepOf.set(child, own);
  }
  for (const [index, id] of samples.entries()) {
    const step = stepOf.get(id) ?? '?';
    spent.set(step, (spent.get(step) ?? 0) + (timeDeltas[index] ?? 0));
  }
}
for (const [step, microseconds] of [...spent].sort(([, a], [, b]) => b - a)) {
  const each = microseconds / Number(values.requests);
  if (step !== '(idle)' && each >= 1) console.log(`${each.toFixed(1)} µs a request | ${step}`);
}
