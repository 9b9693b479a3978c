// What happens to the targets: faults that come and go, and rows that others write.
import fc from 'fast-check';
import { PEOPLE } from '../history.ts';
import { FAULTS } from '../system/world.ts';
import { command, type HistoryCommand } from './command.ts';

const target = fc.constantFrom('crm', 'shop');

export const targetCommands: fc.Arbitrary<HistoryCommand>[] = [
  ...Array.from({ length: 2 }, () =>
    fc.record({ target, fault: fc.constantFrom(...FAULTS) }).map((given) =>
      command({
        name: 'the target',
        given,
        run: async ({ system }) => void system.world.faults.set(given.target, given.fault),
      }),
    ),
  ),
  target.map((name) =>
    command({
      name: 'the target is well again',
      given: { target: name },
      can: ({ system }) => system.world.faultOf(name) !== 'none',
      run: async ({ system }) => void system.world.faults.delete(name),
    }),
  ),
  fc
    .record({
      target,
      controller: fc.constantFrom('acme', 'globex'),
      person: fc.nat({ max: PEOPLE.length - 1 }),
      rows: fc.constantFrom(1, 2, 7),
    })
    .map((given) =>
      command({
        name: 'rows are written',
        given,
        async run({ system }) {
          const email = PEOPLE[given.person] ?? '';
          for (let row = 0; row < given.rows; row++) {
            system.world.add(given.target, given.controller, email);
          }
        },
      }),
    ),
];
