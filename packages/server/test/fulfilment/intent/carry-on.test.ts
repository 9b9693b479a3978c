// What an earlier attempt means for this one.
import { describe, expect, it } from 'vitest';
import type { Keys } from '../../../src/domain/target/connector.ts';
import type { KeyLayout } from '../../../src/domain/target/row-layout.ts';
import { carryOn, type EarlierAttempt } from '../../../src/fulfilment/intent/carry-on.ts';
import type { OpenedIntent } from '../../../src/fulfilment/intent/intents.ts';
import { isSamePlace, isSamePlan, rowsByLayout } from '../../../src/fulfilment/intent/same-plan.ts';

const LAYOUT: KeyLayout = { people: { columns: ['id'], keySize: 1, action: 'delete' } };
const BY_NO: KeyLayout = { people: { columns: ['no', 'id'], keySize: 1, action: 'delete' } };
const keysOf = (...ids: string[]): Keys =>
  ids.length === 0 ? {} : { people: ids.map((id) => [id]) };

const anIntent = (changes: Partial<OpenedIntent> = {}): OpenedIntent => ({
  state: 'done',
  plan: 'place-plan',
  retained: {},
  layout: LAYOUT,
  counts: { people: 2 },
  keys: keysOf('1', '2'),
  ...changes,
});

function carried(earlier: Partial<EarlierAttempt>, layout = LAYOUT) {
  return carryOn(
    {
      intent: anIntent(),
      isSamePlan: true,
      isSamePlace: true,
      ...earlier,
    },
    { layout },
  );
}

it('an intent that was only recorded says nothing of rows', () => {
  const intent = anIntent({ state: 'recorded' });
  expect(carried({ intent })).toMatchObject({ gone: {}, isErased: false });
});

describe('an intent that was carried out', () => {
  it('names rows that are gone: each counts once, and nothing may refer to them', () => {
    expect(carried({})).toMatchObject({ gone: keysOf('1', '2'), goneElsewhere: {} });
  });

  it('names them under another plan too', () => {
    const { gone, goneElsewhere } = carried({ isSamePlan: false });
    expect([gone, goneElsewhere]).toEqual([keysOf('1', '2'), keysOf('1', '2')]);
  });

  it('names them by the columns that are known, where the key is another', () => {
    expect(carried({ isSamePlan: false }, BY_NO).gone).toEqual({
      people: [
        [null, '1'],
        [null, '2'],
      ],
    });
  });

  it('names none at another address', () => {
    expect(carried({ isSamePlan: false, isSamePlace: false }).gone).toEqual({});
  });

  it('tells the times that its rows got', () => {
    const layout: KeyLayout = {
      people: { columns: ['id'], keySize: 1, action: 'overwrite', time: 'then' },
    };
    expect(carried({ intent: anIntent({ layout, times: ['before'] }) }).times).toEqual([
      'before',
      'then',
    ]);
    expect(carried({ intent: anIntent({ layout, state: 'recorded' }) }).times).toEqual([]);
  });
});

it('a task without an intent has nothing to continue', () => {
  expect(carried({ intent: undefined })).toMatchObject({ gone: {} });
});

describe('rows of another layout', () => {
  it('belong to every entry of their table', () => {
    const entry = { ...BY_NO.people, table: 'people' } as KeyLayout[string];
    expect(rowsByLayout(keysOf('1'), LAYOUT, { 'people (a)': entry, 'people (b)': entry })).toEqual(
      {
        'people (a)': [[null, '1']],
        'people (b)': [[null, '1']],
      },
    );
  });

  it('are left out if the table is in another schema', () => {
    const moved = { people: { ...LAYOUT.people, schema: 'new' } } as KeyLayout;
    const before = { people: { ...LAYOUT.people, schema: 'old' } } as KeyLayout;
    expect(rowsByLayout(keysOf('1'), before, moved)).toEqual({});
  });
});

describe('the plan of an intent', () => {
  const found = { layout: LAYOUT };

  it('is the same with the same digest and keys of the same columns', () => {
    expect(isSamePlan(anIntent(), 'place-plan', found)).toBe(true);
    expect(isSamePlan(anIntent(), 'place-other', found)).toBe(false);
    expect(isSamePlan(anIntent(), 'place-plan', { layout: BY_NO })).toBe(false);
  });

  it('is the same place with other tables', () => {
    expect(isSamePlace(anIntent(), 'place-other')).toBe(true);
    expect(isSamePlace(anIntent(), 'elsewhere-plan')).toBe(false);
  });
});
