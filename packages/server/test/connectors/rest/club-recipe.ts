// The recipe that docs/targets-rest.md shows, and a target that uses it.
import { readFileSync } from 'node:fs';
import type { useWrittenTargets } from '../../config/targets/written-targets.ts';

const DOCS = new URL('../../../../../docs/targets-rest.md', import.meta.url);

export type ClubChange = (recipe: string) => string;

interface Club {
  readonly change?: ClubChange;
  readonly fields?: object;
}

/** The target, beside the file that it names. */
export function writeClub(
  written: Pick<ReturnType<typeof useWrittenTargets>, 'write'>,
  origin: string,
  { change = (it) => it, fields = {} }: Club,
): Readonly<Record<string, unknown>> {
  const page = readFileSync(DOCS, 'utf8');
  const shown = /```yaml\n(service: Chess club\n[\s\S]*?)```/.exec(page)?.[1] ?? '';
  written.write('club.yaml', change(shown.replace(/^origin: .*$/m, `origin: ${origin}`)));
  return {
    connector: 'rest',
    recipe: './club.yaml',
    controllers: ['acme'],
    settings: { club: 'chess' },
    secrets: { token: 'secret' },
    allow_private: ['127.0.0.1'],
    ...fields,
  };
}
