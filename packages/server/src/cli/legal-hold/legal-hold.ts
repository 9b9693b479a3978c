// `unwrite legal-hold`: nothing of a person or a request is erased until the hold is lifted or ends.
import { type Command, InvalidArgumentError } from 'commander';
import type { LegalHold, PlacedHold } from '../../domain/legal-hold/legal-hold.ts';
import {
  legalHoldShape,
  liftHold,
  listHolds,
  placedShape,
  placeHold,
} from '../../operator/legal-hold/legal-holds.ts';
import {
  type IdentityOptions,
  namesPerson,
  readIdentityOptions,
  withIdentities,
} from '../request/identity-options.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable, time, timeInSentence } from '../shared/output.ts';
import { readUntil } from '../shared/read-time.ts';

interface PlaceOptions extends IdentityOptions {
  readonly controller?: string;
  readonly request?: string;
  readonly reason: string;
  readonly until?: number;
  readonly json?: boolean;
}

export function addLegalHoldCommands(program: Command): void {
  const legalHold = program
    .command('legal-hold')
    .description('Legal holds: nothing of a person or a request is erased until they end');
  addPlace(legalHold);
  addList(legalHold);
  addLift(legalHold);
}

function addPlace(legalHold: Command): void {
  const place = legalHold
    .command('place')
    .description('Place a hold on a request, or on a person: also on requests that come later')
    .option('--request <subject_request_id>', 'Hold this request')
    .option('--controller <controller_id>', 'Whose person it is; or whose request')
    .requiredOption('--reason <text>', 'Why, for the audit log; no personal data in it')
    .option(
      '--until <time>',
      'When it ends by itself, a day to its end; until lifted if left out',
      readUntil,
    );
  withIdentities(place);
  withActor(withJson(withSettings(place))).action(async (options: PlaceOptions) => {
    const person = namesPerson(options) ? await readIdentityOptions(options) : undefined;
    await withInstallation(place, async (installation) => {
      const by = { actor: actorOf(place), now: installation.store.clock() };
      const placed = await placeHold(installation, { ...options, person }, by);
      if (options.json) printJson(placedShape(placed));
      else printLines(...saidPlaced(placed));
    });
  });
}

function addList(legalHold: Command): void {
  const list = legalHold
    .command('list')
    .description('List the holds that are in force, newest first')
    .option('--controller <controller_id>', 'Only those of this controller')
    .option('--all', 'Also those that have ended');
  withJson(withSettings(list)).action(
    ({ controller, all = false, json }: { controller?: string; all?: boolean; json?: boolean }) =>
      withInstallation(list, async ({ store }) => {
        const holds = await listHolds(store, controller, all);
        if (json) printJson(holds.map(legalHoldShape));
        else if (holds.length === 0) printLines('There are no such holds.');
        else {
          printTable(
            ['hold', 'controller_id', 'on', 'reason', 'placed', 'by', 'until', 'ended'],
            holds.map((it) => [
              String(it.holdNo),
              it.controllerId,
              it.subjectRequestId ?? 'a person',
              it.reason,
              time(it.placedTime),
              it.placedBy,
              it.untilTime === null ? 'lifted' : time(it.untilTime),
              time(it.endedTime),
            ]),
          );
        }
      }),
  );
}

function addLift(legalHold: Command): void {
  const lift = legalHold
    .command('lift <number>')
    .description('Lift a hold: what waits for it is erased')
    .requiredOption('--reason <text>', 'Why, for the audit log; no personal data in it');
  withActor(withJson(withSettings(lift))).action(
    (number: string, { reason, json }: { reason: string; json?: boolean }) =>
      withInstallation(lift, async (installation) => {
        const by = { actor: actorOf(lift), now: installation.store.clock() };
        const hold = await liftHold(installation, readNumber(number), reason, by);
        if (json) printJson(legalHoldShape(hold));
        else printLines(`Legal hold ${hold.holdNo} is lifted. What waited only for it goes on.`);
      }),
  );
}

function saidPlaced({ hold, requests, tooLate }: PlacedHold): string[] {
  const on = hold.subjectRequestId === null ? 'a person' : `request ${hold.subjectRequestId}`;
  return [
    `Legal hold ${hold.holdNo} is on ${on} of ${hold.controllerId}, ${until(hold)}.`,
    hold.subjectRequestId === null
      ? `It stops ${requests.length} open requests that have started, and those that start later.`
      : 'Nothing of the request is erased until then.',
    ...tooLate.map(({ subjectRequestId, target, erasedTime, isCommitting }) =>
      isCommitting
        ? `Too late at ${target} for request ${subjectRequestId}: it was committing at ${timeInSentence(erasedTime)}; how that ended is not known yet.`
        : `Too late at ${target} for request ${subjectRequestId}: its rows were erased at ${timeInSentence(erasedTime)}.`,
    ),
  ];
}

const until = ({ holdNo, untilTime }: LegalHold) =>
  untilTime === null
    ? `until it is lifted ("unwrite legal-hold lift ${holdNo}")`
    : `until ${timeInSentence(untilTime)}`;

function readNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new InvalidArgumentError('It must be the number of a hold: "unwrite legal-hold list".');
  }
  return Number(text);
}
