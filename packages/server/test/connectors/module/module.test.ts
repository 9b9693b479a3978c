import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModuleConnector } from '../../../src/connectors/module/create-module-connector.ts';
import type { Connector, EraseOrder } from '../../../src/domain/target/connector.ts';
import { eraseOrders } from '../../helpers/erase-found.ts';
import { orderOf, subjectOf } from '../../helpers/subject.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { moduleTarget } from './module-target.ts';

const EMAIL = 'anna@example.com';
const anna = subjectOf(1, [['email', EMAIL]]);
const ben = subjectOf(2, [['email', 'ben@example.com']]);
const order = orderOf(anna, { files: 2 });

let folder: TemporaryFolder;
let files = 0;
beforeAll(() => {
  folder = makeTemporaryFolder();
});
afterAll(() => folder.remove());

/** Writes a module of this source and makes its connector. */
function load(source: string, options: Record<string, unknown> = {}, ending = 'mts') {
  const file = join(folder.path, `module-${++files}.${ending}`);
  writeFileSync(file, source);
  return createModuleConnector(moduleTarget(file, options));
}

/** A module whose functions are these expressions; the others answer nothing. */
function moduleWith(functions: Record<string, string>) {
  const all = { check: 'async () => []', preview: '0', erase: '0', verify: '0', close: '0' };
  const parts = Object.entries({ ...all, ...functions }).map(
    ([name, body]) => `${name}: ${body === '0' ? 'async () => []' : body}`,
  );
  return load(`export default () => ({ ${parts.join(',\n')} });`);
}

describe('loading a module', () => {
  it('takes TypeScript and JavaScript, a function or a promise, and hands the options over', async () => {
    const body = `check: async () => [{ level: 'ok', subject: 'options', message: options.greeting }],
      preview: async () => [], erase: async () => [], verify: async () => [], close: async () => {}`;
    const typed = await load(`export default (options: { greeting: string }) => ({ ${body} });`, {
      greeting: 'hello',
    });
    const plain = await load(
      `export default async (options) => ({ ${body} });`,
      { greeting: 'hi' },
      'mjs',
    );

    expect(await typed.check()).toEqual([{ level: 'ok', subject: 'options', message: 'hello' }]);
    expect(await plain.check()).toEqual([{ level: 'ok', subject: 'options', message: 'hi' }]);
  });

  it.each([
    ['no default export', 'export const create = 1;', 'default export'],
    [
      'functions are missing',
      'export default () => ({ check() {}, close() {} });',
      'missing: preview, erase, verify',
    ],
    [
      'nothing is returned',
      'export default () => {};',
      'missing: check, preview, erase, verify, close',
    ],
    ['a syntax error', 'export default (', 'cannot be loaded'],
    ['an import that does not exist', 'import "./nowhere.ts";', 'cannot be loaded'],
    ['it throws', `export default () => { throw new RangeError('${EMAIL}'); };`, 'RangeError'],
  ])('says what is wrong: %s', async (_, source, words) => {
    const error: unknown = await load(source).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ name: 'TargetDown', code: 'module_error' });
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).toContain(folder.path);
    expect(inspect(error)).not.toContain(EMAIL);
  });
});

describe('what a module answers', () => {
  it('is passed on if it has the right shape, with defaults for missing members', async () => {
    const connector = await moduleWith({
      preview: `async (subjects) => [
        { outcome: 'found', counts: { files: subjects[0].identities.length }, keys: { files: [['a', null]] } },
        { outcome: 'unmatched' },
      ]`,
      erase: `async () => [{ outcome: 'erased', counts: { files: 2 } }]`,
      verify: `async () => [{ outcome: 'gone', how: 'requeried' }]`,
    });

    expect(await connector.preview([anna, ben])).toEqual([
      {
        outcome: 'found',
        counts: { files: 1 },
        retained: {},
        keys: { files: [['a', null]] },
        sharedWith: [],
      },
      { outcome: 'unmatched' },
    ]);
    expect(await eraseOrders(connector, [order])).toEqual([
      { outcome: 'erased', counts: { files: 2 } },
    ]);
    expect(await connector.verify([order])).toEqual([{ outcome: 'gone', how: 'requeried' }]);
  });

  it('may read the identities', async () => {
    const connector = await moduleWith({
      preview: `async ([{ identities: [identity] }]) =>
        [{ outcome: 'found', counts: { [identity.type]: identity.reveal().length } }]`,
    });

    expect(await connector.preview([anna])).toMatchObject([{ counts: { email: EMAIL.length } }]);
  });

  describe('of the wrong shape', () => {
    const NOT_ONE_EACH = ['undefined', '[]', '[{}, {}, {}]', '({ length: 2 })'];
    const WRONG = [
      ['preview', 'null'],
      ['preview', '{}'],
      ['preview', "{ outcome: 'erased', counts: {} }"],
      ['preview', "{ outcome: 'found' }"],
      ['preview', "{ outcome: 'found', counts: { files: -1 } }"],
      ['preview', `{ outcome: 'found', counts: { '${EMAIL}': 1 } }`],
      ['preview', "{ outcome: 'found', counts: {}, keys: { files: [1] } }"],
      ['preview', "{ outcome: 'found', counts: {}, sharedWith: ['x'] }"],
      ['preview', "{ outcome: 'held', reason: 'because' }"],
      ['erase', "{ outcome: 'erased' }"],
      ['erase', "{ outcome: 'found', counts: {} }"],
      ['verify', "{ outcome: 'gone' }"],
      ['verify', "{ outcome: 'held', reason: 'manual' }"],
      ['verify', "{ outcome: 'remains' }"],
    ] as const;
    let connector: Connector;

    /** One process for all of them: the number of the first task says which answer is wanted. */
    beforeAll(async () => {
      const give = `async ([{ taskNo }]) => [${[...NOT_ONE_EACH, ...WRONG.map(([, answer]) => `[${answer}]`)].join()}][taskNo]`;
      connector = await moduleWith({ preview: give, erase: give, verify: give });
    });
    afterAll(() => connector.close());

    it.each(NOT_ONE_EACH)(
      'fails every subject when it is not one entry for each: %s',
      async (answer) => {
        const subjects = [{ ...anna, taskNo: NOT_ONE_EACH.indexOf(answer) }, ben];

        expect(await connector.preview(subjects)).toMatchObject([
          { outcome: 'failed', code: 'bad_answer' },
          { outcome: 'failed', code: 'bad_answer' },
        ]);
      },
    );

    it.each(WRONG.map(([name, answer], place) => [name, answer, place] as const))(
      'fails the subject when %s gives %s',
      async (name, _, place) => {
        const taskNo = NOT_ONE_EACH.length + place;

        expect(await callOf(connector, name, [{ ...order, taskNo }])).toMatchObject([
          { outcome: 'failed', code: 'bad_answer' },
        ]);
      },
    );
  });

  it('is held when more was erased than the preview had found', async () => {
    const connector = await moduleWith({
      erase: `async () => [{ outcome: 'erased', counts: { files: 3 } }]`,
    });

    expect(await eraseOrders(connector, [order])).toMatchObject([
      { outcome: 'held', reason: 'more_than_previewed' },
    ]);
  });

  it('passes on codes and reasons, but no texts', async () => {
    const connector = await moduleWith({
      preview: `async () => [
        { outcome: 'failed', code: 'share_offline', detail: 'cannot open ${EMAIL}' },
        { outcome: 'held', reason: 'ambiguous_reference', detail: '${EMAIL} twice' },
      ]`,
      erase: `async () => [{ outcome: 'failed', code: 'no ${EMAIL}' }]`,
    });

    const answers = [
      ...(await connector.preview([anna, ben])),
      ...(await eraseOrders(connector, [order])),
    ];

    expect(answers).toMatchObject([
      { outcome: 'failed', code: 'share_offline' },
      { outcome: 'held', reason: 'ambiguous_reference' },
      { outcome: 'failed', code: 'target_error' },
    ]);
    expect(JSON.stringify(answers)).not.toContain(EMAIL);
  });

  it.each(['check', 'preview', 'erase', 'verify', 'close'] as const)(
    'is "target down" if %s throws, without its text',
    async (name) => {
      const connector = await moduleWith({ [name]: `() => { throw new RangeError('${EMAIL}'); }` });

      const error: unknown = await callOf(connector, name, [order]).catch(
        (thrown: unknown) => thrown,
      );

      expect(error).toMatchObject({ name: 'TargetDown', code: 'module_error' });
      expect((error as Error).message).toContain('RangeError');
      expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain(EMAIL);
    },
  );

  it('is a problem of the check if its lines have the wrong shape', async () => {
    const connector = await moduleWith({ check: 'async () => ["fine"]' });

    expect(await connector.check()).toMatchObject([{ level: 'problem' }]);
  });
});

describe('what a module is handed', () => {
  const twoOrders = [
    orderOf(anna, { files: 1 }, { files: [['a.pdf', null]] }),
    orderOf(ben, { files: 1 }, { files: [['b.pdf', null]] }),
  ];

  it('cannot be sorted in place, which would swap the outcomes of two people', async () => {
    const connector = await moduleWith({
      preview: `async (subjects) => subjects.sort((a, b) => b.taskNo - a.taskNo).map(({ taskNo }) =>
        taskNo === 1 ? { outcome: 'found', counts: { files: 1 } } : { outcome: 'unmatched' })`,
    });

    await expect(connector.preview([anna, ben])).rejects.toMatchObject({ code: 'module_error' });
  });

  it('may be sorted as a copy, and the answers are for the order given', async () => {
    const connector = await moduleWith({
      preview: `async (subjects) => {
        try { subjects.reverse(); } catch {}
        return subjects.map(({ taskNo }) => ({ outcome: 'found', counts: { files: taskNo } }));
      }`,
    });

    expect(await connector.preview([anna, ben])).toMatchObject([
      { counts: { files: 1 } },
      { counts: { files: 2 } },
    ]);
  });

  it('cannot have its numbers raised to let more be erased than was previewed', async () => {
    const connector = await moduleWith({
      erase: `async (orders) => orders.map((order) => {
        Reflect.set(order.counts, 'files', 99);
        Reflect.set(order, 'counts', { files: 99 });
        return { outcome: 'erased', counts: { files: 99 } };
      })`,
    });

    expect(await eraseOrders(connector, twoOrders)).toMatchObject([
      { outcome: 'held', reason: 'more_than_previewed' },
      { outcome: 'held', reason: 'more_than_previewed' },
    ]);
    expect(twoOrders.map(({ counts }) => counts)).toEqual([{ files: 1 }, { files: 1 }]);
  });

  it('is the same for the next call, even if the module tried to change it', async () => {
    const connector = await moduleWith({
      erase: `async (orders) => orders.map((order) => {
        const all = [order, order.keys, order.keys.files, order.keys.files[0], order.identities];
        for (const one of all) { try { delete one[0]; one.files = 0; one.taskNo = 7; } catch {} }
        Reflect.set(order.identities[0], 'type', 'controller_customer_id');
        Reflect.set(order.identities[0], 'reveal', () => 'somebody else');
        try { Object.getPrototypeOf(order.identities[0]).reveal = () => 'somebody else'; } catch {}
        return { outcome: 'erased', counts: {} };
      })`,
      verify: `async (orders) => orders.map(({ taskNo, keys, identities: [one] }) =>
        taskNo < 3 && keys.files[0][1] === null && one.type === 'email' && one.reveal().includes('@')
          ? { outcome: 'gone', how: 'requeried' } : { outcome: 'remains', counts: {} })`,
    });

    await eraseOrders(connector, twoOrders);

    const gone = { outcome: 'gone', how: 'requeried' };
    expect(await connector.verify(twoOrders)).toEqual([gone, gone]);
  });

  it('an answer is read once: changing it afterwards has no effect', async () => {
    const connector = await moduleWith({
      preview: `(() => {
        const keys = { files: [['a.pdf']] };
        const sharedWith = [];
        return async (subjects) => {
          setTimeout(() => { keys.files[0][0] = 'b.pdf'; keys.files.push(['c.pdf']); sharedWith.push(9); });
          return [{ outcome: 'found', counts: { files: 1 }, keys, sharedWith }];
        };
      })()`,
    });

    const preview = await connector.preview([anna]);
    await new Promise((resolve) => setTimeout(resolve, 5));

    expect(preview).toMatchObject([{ keys: { files: [['a.pdf']] }, sharedWith: [] }]);
  });
});

function callOf(
  connector: Connector,
  name: 'check' | 'preview' | 'erase' | 'verify' | 'close',
  orders: readonly EraseOrder[],
): Promise<unknown> {
  return name === 'erase' ? eraseOrders(connector, orders) : connector[name]([...orders]);
}
