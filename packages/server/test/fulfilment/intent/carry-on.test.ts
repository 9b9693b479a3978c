// What an earlier attempt means for this one: nothing is claimed that it never began to erase, or that is
// still there.
import { describe, expect, it } from 'vitest';
import type { Keys } from '../../../src/domain/target/connector.ts';
import type { KeyLayout } from '../../../src/domain/target/row-layout.ts';
import { carryOn, type EarlierAttempt } from '../../../src/fulfilment/intent/carry-on.ts';
import type { OpenedIntent } from '../../../src/fulfilment/intent/intents.ts';
import { isSamePlace, isSamePlan } from '../../../src/fulfilment/intent/same-plan.ts';

const LAYOUT: KeyLayout = { people: { columns: ['id'], keySize: 1, action: 'delete' } };
const keysOf = (...ids: string[]): Keys =>
  ids.length === 0 ? {} : { people: ids.map((id) => [id]) };

const anIntent = (changes: Partial<OpenedIntent> = {}): OpenedIntent => ({
  state: 'erasing',
  plan: 'place-plan',
  retained: {},
  layout: LAYOUT,
  counts: { people: 2 },
  keys: keysOf('1', '2'),
  ...changes,
});

function carried(earlier: Partial<EarlierAttempt>, foundNow: Keys = {}) {
  return carryOn(
    {
      intent: anIntent(),
      settled: undefined,
      isSamePlan: true,
      isAnothers: false,
      isSamePlace: true,
      isReported: false,
      reported: {},
      ...earlier,
    },
    { keys: foundNow, counts: {}, layout: LAYOUT, sharedWith: [] },
  );
}

const NOTHING = { outcome: 'settled', there: {}, tied: {}, gone: {} } as const;
const settled = (there: Keys, gone: Keys): EarlierAttempt['settled'] => ({
  outcome: 'settled',
  keys: { outcome: 'settled', there, tied: there, gone },
  watched: NOTHING,
});

describe('an intent that was only recorded', () => {
  const intent = anIntent({ state: 'recorded' });

  it('claims nothing, although its rows are gone', () => {
    expect(carried({ intent, settled: settled({}, keysOf('1', '2')) }).recovered).toEqual({});
  });

  it('has its rows checked again under the same plan', () => {
    expect(carried({ intent }).watched).toEqual(intent.keys);
    const { watched, alreadyGone } = carried({
      intent,
      settled: settled(keysOf('2'), keysOf('1')),
    });
    expect(watched).toEqual(keysOf('2'));
    expect(alreadyGone).toEqual({ people: 1 });
  });

  it('is void under another plan', () => {
    expect(carried({ intent, isSamePlan: false })).toMatchObject({
      watched: {},
      recovered: {},
    });
  });
});

describe('an intent that was erasing', () => {
  it('claims its rows if all of them are gone', () => {
    const { watched, recovered } = carried({ settled: settled({}, keysOf('1', '2')) });
    expect(recovered).toEqual({ people: 2 });
    expect(watched).toEqual({});
  });

  it('claims them under another plan too, and looks at none of them again', () => {
    const { watched, recovered } = carried({
      settled: settled({}, keysOf('1', '2')),
      isSamePlan: false,
    });
    expect(recovered).toEqual({ people: 2 });
    expect(watched).toEqual({});
  });

  it('claims no row while one of them is unchanged: rows of a request are erased together', () => {
    const { watched, recovered } = carried(
      { settled: settled(keysOf('2'), keysOf('1')) },
      keysOf('2'),
    );
    expect(recovered).toEqual({});
    expect(watched).toEqual({});
  });

  it('claims the missing rows if the others belong to another person by now', () => {
    const { watched, recovered } = carried(
      { settled: settled(keysOf('2'), keysOf('1')) },
      keysOf('9'),
    );
    expect(recovered).toEqual({ people: 1 });
    expect(watched).toEqual(keysOf('2'));
  });

  it('claims no row if all of them exist', () => {
    expect(carried({ settled: settled(keysOf('1', '2'), {}) }).recovered).toEqual({});
  });

  it('claims none that another request erased since', () => {
    const { recovered } = carried({ settled: settled({}, keysOf('1', '2')), isAnothers: true });
    expect(recovered).toEqual({});
  });

  it('claims none by itself if the target cannot be asked', () => {
    expect(carried({}).recovered).toEqual({});
  });
});

it('a finished intent claims nothing more, and only its remaining rows are checked', () => {
  const intent = anIntent({ state: 'done' });
  const { watched, recovered } = carried({
    intent,
    settled: settled(keysOf('2'), keysOf('1')),
    reported: { people: 1 },
  });
  expect(recovered).toEqual({});
  expect(watched).toEqual(keysOf('2'));
});

describe('rows that an intent only watches', () => {
  const intent = anIntent({ watched: keysOf('3', '4') });
  const watching: EarlierAttempt['settled'] = {
    outcome: 'settled',
    keys: { ...NOTHING, gone: keysOf('1', '2') },
    watched: { ...NOTHING, there: keysOf('3'), tied: keysOf('3'), gone: keysOf('4') },
  };

  it('are never claimed, although the others are', () => {
    expect(carried({ intent, settled: watching })).toMatchObject({
      recovered: { people: 2 },
      alreadyGone: { people: 1 },
      watched: keysOf('3'),
    });
  });

  it('are not watched any more if they are found for the person again', () => {
    expect(carried({ intent, settled: watching }, keysOf('3')).watched).toEqual({});
  });
});

it('a row that came back after it was erased counts once', () => {
  const intent = anIntent({ state: 'done', erasedBefore: {} });
  const { gone } = carried({
    intent,
    settled: settled(keysOf('2'), keysOf('1')),
    reported: { people: 2 },
  });
  expect(gone).toEqual(keysOf('1', '2'));
});

it('a task without an intent has nothing to continue', () => {
  expect(carried({ intent: undefined })).toMatchObject({ watched: {}, recovered: {} });
});

it('rows erased here count once under another plan too, by keys of the same columns', () => {
  const intent = anIntent({ state: 'done', erasedBefore: {} });
  const earlier = { intent, settled: settled({}, keysOf('1', '2')), reported: { people: 2 } };
  expect(carried({ ...earlier, isSamePlan: false }).gone).toEqual(keysOf('1', '2'));
  expect(carried({ ...earlier, isSamePlan: false, isSamePlace: false }).gone).toEqual({});
});

describe('the plan of an intent', () => {
  const found = { layout: LAYOUT };

  it('is the same with the same digest and keys of the same columns', () => {
    expect(isSamePlan(anIntent(), 'place-plan', found)).toBe(true);
    expect(isSamePlan(anIntent(), 'place-other', found)).toBe(false);
    const layout: KeyLayout = { people: { columns: ['no'], keySize: 1, action: 'delete' } };
    expect(isSamePlan(anIntent(), 'place-plan', { layout })).toBe(false);
  });

  it('is the same place with other tables', () => {
    expect(isSamePlace(anIntent(), 'place-other')).toBe(true);
    expect(isSamePlace(anIntent(), 'elsewhere-plan')).toBe(false);
  });

  it('is treated as the same if the intent is from before plans were kept', () => {
    const old = anIntent({ plan: '', layout: undefined });
    expect(isSamePlan(old, 'place-plan', found)).toBe(true);
    expect(isSamePlace(old, 'place-plan')).toBe(true);
  });
});
