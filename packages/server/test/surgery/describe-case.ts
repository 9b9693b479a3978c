// A case for a person: its schema, rows, configurations, requests, and what happened.
import type { GeneratedCase, Try } from './generated-case.ts';
import type { Violation } from './judge/violation.ts';
import type { TryRecord } from './run-case.ts';
import { writeChange } from './staff.ts';
import { writeConfiguration } from './write-configuration.ts';
import { writeSchema } from './write-ddl.ts';

const TARGET = { name: 'shop', connector: 'sqlite', address: 'the database' } as const;

export function describeCase(
  generated: GeneratedCase,
  records: readonly TryRecord[],
  violations: readonly Violation[],
): string {
  const { database, tables, rows, configurations, requests, tries } = generated;
  return [
    ...violations.map(
      ({ kind, tryNo, rule, detail }) => `${kind} (${rule}), try ${tryNo}: ${detail}`,
    ),
    `-- ${database}`,
    ...writeSchema(database, tables, rows),
    ...configurations.map((one, at) => `# configuration ${at}\n${writeConfiguration(one, TARGET)}`),
    ...requests.map(({ controllerId, identities }) => {
      const given = identities.map(({ type, value }) => `${type} ${JSON.stringify(value)}`);
      return `request of ${controllerId}: ${given.join(', ')}`;
    }),
    ...tries.flatMap((one, at) => describeTry(generated, one, at)),
    ...records.map(({ tasks, problems }, at) => {
      const outcomes = tasks.map(({ state, reason, detail, evidence }) =>
        [state, reason, detail, evidence && JSON.stringify([evidence.action, evidence.tables])]
          .filter((part) => part !== null)
          .join(' '),
      );
      return `after try ${at}: ${[...problems, ...outcomes].join(' | ')}`;
    }),
  ].join('\n');
}

function describeTry({ tables }: GeneratedCase, one: Try, at: number): string[] {
  const lists = [
    'changesBefore',
    'changesLookedUp',
    'changesBetween',
    'changesDuring',
    'changesAfter',
  ] as const;
  return [
    `try ${at}: configuration ${one.configuration}, ${one.interruption}${one.isReleased ? ', released' : ''}`,
    ...lists.flatMap((list) =>
      one[list].map((change) => `  ${list}: ${writeChange(tables, change) ?? 'nothing'}`),
    ),
  ];
}
