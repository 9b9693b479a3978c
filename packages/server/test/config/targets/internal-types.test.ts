import { describe, expect, it } from 'vitest';
import { s3Target, sqlTarget, useWrittenTargets } from './written-targets.ts';

const { problemsOf, read } = useWrittenTargets();

const to = (to: object) => ({ resolve: { table: 'users', from: { email: 'email' }, to } });
const shop = (fields: object = {}) =>
  sqlTarget({
    tenancy: null,
    controllers: ['acme'],
    ...to({ internal: { user_id: 'id' } }),
    ...fields,
  });
const files = (fields: object = {}) =>
  s3Target({ objects: { files: 'users/{internal.user_id}/' }, ...fields });

describe('an id of the own application', () => {
  it('is looked up by one target and used by others, which run first', () => {
    const targets = read({
      shop: shop({ tables: [{ table: 'users', match: { email: 'email' } }] }),
      files: files(),
    });
    expect(targets).toMatchObject([
      { resolve: { to: { type: 'internal.user_id', column: 'id' } }, runsAfter: ['files'] },
      { objects: [{ type: 'internal.user_id' }] },
    ]);
  });

  it('may have one name in the databases of several controllers', () => {
    const other = sqlTarget({
      tenancy: null,
      controllers: ['globex'],
      ...to({ internal: { user_id: 'id' } }),
    });
    expect(read({ shop: shop(), other, files: files() })).toHaveLength(3);
  });

  it.each<[string, object, RegExp]>([
    [
      'nobody looks up',
      { files: files() },
      /files: uses internal\.user_id, which no "resolve" of a target gives/,
    ],
    [
      'is looked up for another controller alone',
      { shop: shop({ controllers: ['globex'] }), files: files() },
      /files: uses internal\.user_id, which no/,
    ],
    [
      'means two things',
      { shop: shop(), crm: shop() },
      /crm\.resolve: gives internal\.user_id, as shop does/,
    ],
    ['has no name', { shop: shop(to({ internal: {} })) }, /internal: must be one name/],
    [
      'has two names',
      { shop: shop(to({ internal: { a: 'b', c: 'd' } })) },
      /internal: must be one name/,
    ],
    [
      'is given beside another',
      { shop: shop(to({ internal: { a: 'b' }, email: 'c' })) },
      /email: is not a setting/,
    ],
    [
      'is what is known',
      {
        shop: sqlTarget({
          resolve: { table: 'u', from: { internal: { a: 'b' } }, to: { email: 'c' } },
        }),
      },
      /from\.internal: is not a setting/,
    ],
  ])('that %s is refused', (_, targets, message) => {
    expect(problemsOf(targets as Record<string, never>).join('\n')).toMatch(message);
  });
});
