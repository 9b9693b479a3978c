// What is wrong with a recipe is said before anything is called.
import { describe, expect, it } from 'vitest';
import { useWrittenTargets } from '../../config/targets/written-targets.ts';
import { writeClub } from './club-recipe.ts';

const ORIGIN = 'https://api.chess.example';
const written = useWrittenTargets();

describe('a recipe that is wrong', () => {
  const problemsOf = (from: string | RegExp, to: string, fields: object = {}): string =>
    written
      .problemsOf({
        club: writeClub(written, ORIGIN, { change: (it) => it.replace(from, to), fields }),
      })
      .join('\n');

  it.each<[string, string | RegExp, string, RegExp]>([
    [
      'misspells a word',
      'account:',
      'acount:',
      /club\.yaml:\d+: acount: is not a setting; did you mean account/,
    ],
    ['names an unknown value', '{id}', '{uid}', /\{uid\} is not known here; there is \{id\}/],
    [
      'names an unknown filter',
      '{identity}',
      '{identity|rot13}',
      /rot13 is not a filter; there is lower/,
    ],
    ['takes any 404 for absence', /lacks: .*/, 'lacks: 404', /a wrong address is answered 404 too/],
    ['takes any 404 by no value', /lacks: .*/, 'lacks: { status: 404, where: {} }', /answered 404/],
    [
      'takes any 404 that lacks',
      /lacks: .*/,
      'lacks: { status: 404, where: { x: ~ } }',
      /answered 404/,
    ],
    ['erases without naming the object', /out: .*/, 'out: DELETE /api/members', /out: .*\{id\}/],
    ['looks without naming the object', /look: .*/, 'look: GET /api/members', /look: .*\{id\}/],
    [
      'has a capital in a placeholder',
      '={identity}',
      '={Identity}',
      /\{Identity\} is sent as it is/,
    ],
    [
      'has a path that is not sent so',
      'DELETE /api/',
      'DELETE /api/../',
      /not sent as it is written/,
    ],
    ['has a fragment', 'members?email', 'members?a=#email', /must be a method and a path/],
    ['has what is no text among its notes', /leaves: .*/, 'leaves: [a: b]', /leaves/],
    ['names no status', /has: .*/, 'has: yes', /must be a status from 200 to 499/],
    [
      'has a path without a method',
      /look: .*/,
      'look: /api/members/{id}',
      /must be a method and a path/,
    ],
    ['does not say who is the same', /same: .*/, '', /same: is missing/],
    ['has no way out', /out: .*/, '', /out: is missing/],
    ['searches by what is no identity', 'email:\n', 'phone:\n', /must be one of: email/],
    ['is no YAML', 'objects:', 'objects: [', /club\.yaml: /],
  ])('%s is refused, with its line', (_, from, to, message) => {
    expect(problemsOf(from, to)).toMatch(message);
  });

  it.each<[string, object, RegExp]>([
    ['a setting is missing', { settings: {} }, /settings\.club: is missing: the recipe needs it/],
    ['a secret is missing', { secrets: {} }, /secrets\.token: is missing/],
    [
      'a secret is not asked for',
      { secrets: { token: 's', key: 'k' } },
      /secrets\.key: is not a setting/,
    ],
    ['a secret cannot be in a header', { secrets: { token: 's\nt' } }, /auth: a secret has a line/],
    ['the file is not there', { recipe: './none.yaml' }, /none\.yaml cannot be read \(ENOENT\)/],
    ['there is no such recipe', { recipe: 'salesfarce' }, /there is no recipe salesfarce/],
    [
      'it is for all controllers',
      { controllers: null },
      /needs "controllers" with the one controller/,
    ],
  ])('where %s', (_, fields, message) => {
    expect(problemsOf('', '', fields)).toMatch(message);
  });

  it('holds until it is released, unless the target says otherwise', () => {
    expect(
      written.one({
        connector: 'rest',
        recipe: 'zendesk',
        controllers: ['acme'],
        settings: { subdomain: 'us' },
        secrets: { email: 'a', token: 'b' },
      }),
    ).toMatchObject({ mode: 'preview' });
  });
});

describe('keys that an earlier attempt found', () => {
  const placeWith = (from: string | RegExp, to: string) => {
    const change = (it: string) => it.replace(from, to);
    return written.one(writeClub(written, ORIGIN, { change })).planDigest.split('-')[0];
  };
  const before = () => placeWith('', '');

  it('are those of a recipe that was corrected', () => {
    expect(placeWith('found: 200', 'found: [200, 206] # both')).toBe(before());
  });

  it('are not taken for those of a recipe that means something else by them', () => {
    expect(placeWith('key: { id: id }', 'key: { id: number }')).not.toBe(before());
  });
});
