import type { CaseDatabase } from '../databases.ts';
import { writeTarget } from '../write-configuration.ts';
import type { SeveralCase } from './several-case.ts';

type Place = Pick<CaseDatabase, 'connector' | 'address'>;

/** As the value of unwrite.config.yaml. */
export function writeSeveral(
  { targets }: SeveralCase,
  places: readonly Place[],
  named: (name: string) => string,
): Record<string, unknown> {
  const written = targets.map(({ name, place, configuration, after }) => {
    const at = places[place];
    if (at === undefined) throw new Error(`there is no database ${place}`);
    const target = { connector: at.connector, address: at.address() };
    return [
      named(name),
      {
        ...writeTarget(configuration, target),
        ...(after.length > 0 && { after: after.map(named) }),
      },
    ];
  });
  return { targets: Object.fromEntries(written) };
}
