// A case of several targets for a person.
import { stringify } from 'yaml';
import type { Violation } from '../judge/violation.ts';
import { writeChange } from '../staff.ts';
import { writeSchema } from '../write-ddl.ts';
import type { PlayedSeveral } from './run-several.ts';
import type { SeveralCase, Step } from './several-case.ts';
import { writeSeveral } from './write-several.ts';

export function describeSeveral(
  generated: SeveralCase,
  { problems, runs, tasks, completed }: PlayedSeveral,
  violations: readonly Violation[],
): string {
  const { database, tables, rows, requests, steps } = generated;
  const places = [0, 1].map((place) => ({
    connector: 'sqlite',
    address: () => `database ${place}`,
  })) as Parameters<typeof writeSeveral>[1];
  return [
    ...violations.map(
      ({ kind, tryNo, rule, detail }) => `${kind} (${rule}), run ${tryNo}: ${detail}`,
    ),
    `-- ${database}`,
    ...writeSchema(database, tables, rows),
    stringify(writeSeveral(generated, places, (name) => name)),
    ...requests.map(({ controllerId, identities }) => {
      const given = identities.map(({ type, value }) => `${type} ${JSON.stringify(value)}`);
      return `request of ${controllerId}: ${given.join(', ')}`;
    }),
    ...steps.map((step, at) => `step ${at}: ${describeStep(generated, step)}`),
    ...problems,
    ...runs.map(({ target, phase, fault, tasks: worked, tasksAfter }, at) => {
      const known = worked.map(({ request, known: all }) => {
        return `${request} by ${all.map(({ value }) => value).join(', ')}`;
      });
      const states = tasksAfter.map((ofRequest) =>
        ofRequest
          .map((task) => `${task.target.split('-')[0]} ${task.state} ${task.reason ?? ''}`.trim())
          .join(', '),
      );
      return `run ${at}: ${target} ${phase}, ${fault}; ${known.join('; ')}: ${states.join(' | ')}`;
    }),
    ...tasks.flatMap((ofRequest, request) =>
      ofRequest.map(
        ({ target, state, reason, detail, evidence }) =>
          `request ${request}${completed[request] ? ' (completed)' : ''}: ${target} ${state} ${reason ?? ''} ${detail ?? ''} ${JSON.stringify(evidence && [evidence.action, evidence.tables])}`,
      ),
    ),
  ].join('\n');
}

function describeStep({ tables }: SeveralCase, step: Step): string {
  switch (step.does) {
    case 'run': {
      const { pick, fault, between, afterwards, meanwhile } = step;
      const told = [
        ...between.map((change) => `between: ${writeChange(tables, change)}`),
        ...afterwards.map((change) => `afterwards: ${writeChange(tables, change)}`),
        ...(meanwhile === null ? [] : [`meanwhile ${meanwhile}`]),
      ];
      return [`run ${pick}, ${fault}`, ...told].join('; ');
    }
    case 'change':
      return step.changes.map((change) => writeChange(tables, change)).join('; ');
    case 'identify':
      return `identify ${step.request}: ${step.identity.type} ${step.identity.value}`;
    case 'receive':
      return `receive ${step.request}`;
    default:
      return step.does;
  }
}
