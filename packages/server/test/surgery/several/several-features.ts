import { changesBetween } from '../judge/row-changes.ts';
import type { Summary } from '../statistics.ts';
import { erasesFrom } from './judge/lookups.ts';
import { orderOf } from './judge/order.ts';
import type { PlayedSeveral } from './run-several.ts';
import type { SeveralCase } from './several-case.ts';

export function summarizeSeveral(generated: SeveralCase, played: PlayedSeveral): Summary {
  const { problems, runs, tasks } = played;
  return {
    features: featuresOf(generated).map((name) => `several: ${name}`),
    hasErased: runs.some(({ spans }) =>
      spans.some(({ from, to }) => changesBetween(from, to).length > 0),
    ),
    ends: tasks.flat().map(({ state, reason }) => `several: ${state} ${reason ?? ''}`),
    problem: problems[0],
  };
}

function featuresOf({ targets, tables, requests, steps }: SeveralCase): string[] {
  const lookups = targets.flatMap((source) => {
    const { resolve } = source.configuration;
    return resolve === null ? [] : [{ source, resolve }];
  });
  const order = orderOf({ targets });
  const runs = steps.flatMap((step) => (step.does === 'run' ? [step] : []));
  const features: Record<string, boolean> = {
    cases: true,
    'two databases': new Set(tables.map(({ place }) => place)).size > 1,
    'two lookups': lookups.length > 1,
    'lookups in a chain': lookups.some((one) =>
      lookups.some(({ source, resolve }) => {
        const { from, to } = one.resolve;
        return (
          source !== one.source && to.type === resolve.from.type && from.type === resolve.to.type
        );
      }),
    ),
    'a number looked up': lookups.some(({ resolve }) => resolve.to.type !== 'email'),
    'an email looked up': lookups.some(({ resolve }) => resolve.to.type === 'email'),
    'its table is kept': lookups.some(
      ({ resolve }) => !targets.some((target) => erasesFrom(target, resolve.table)),
    ),
    'its table is erased by another': lookups.some(({ source, resolve }) =>
      targets.some((target) => target !== source && erasesFrom(target, resolve.table)),
    ),
    'its values are overwritten by a text': lookups.some(({ resolve }) =>
      targets.some(({ configuration }) =>
        configuration.tables.some(
          ({ table, action }) =>
            table === resolve.table &&
            typeof action === 'object' &&
            (action.overwrite[resolve.to.column] ?? null) !== null,
        ),
      ),
    ),
    'its table goes by a cascade': targets.some(
      ({ configuration }) => configuration.cascades.length > 0,
    ),
    'an order': [...order.values()].some(({ size }) => size > 0),
    after: targets.some(({ after }) => after.length > 0),
    'by hand': targets.some(({ isByHand }) => isByHand),
    'two requests': requests.length > 1,
    'another target meanwhile': runs.some(({ meanwhile }) => meanwhile !== null),
    'changes before erasing': runs.some(({ between }) => between.length > 0),
    'identities added': steps.some(({ does }) => does === 'identify'),
    'released by a person': steps.some(({ does }) => does === 'release'),
  };
  const faults = runs.map(({ fault }) => `run: ${fault}`);
  return [...Object.keys(features).filter((name) => features[name]), ...new Set(faults)];
}
