import { describe, expect, it } from 'vitest';
import {
  holdsSeveralStatements,
  parametersOf,
  speaksOfTransactions,
  splitStatement,
} from '../../../src/domain/target/sql-parameters.ts';
import type { SqlConnector } from '../../../src/domain/target/target.ts';

describe('the parameters of a statement', () => {
  it('are found between pieces of SQL, in order and as often as they are used', () => {
    expect(splitStatement('a = :email OR b = :email AND c=:tenant', 'postgres')).toEqual([
      'a = ',
      { parameter: 'email' },
      ' OR b = ',
      { parameter: 'email' },
      ' AND c=',
      { parameter: 'tenant' },
    ]);
  });

  it.each<[SqlConnector, string]>([
    ['postgres', '\':email\' "a:email" -- :email\n/* :email\n:email */'],
    ['postgres', "'it''s :email' E'it\\'s :email' $$ :email $$ $a$ :email $$ :email $a$"],
    ['postgres', "'back\\' || x::email || array[1:2] || array[i:email]"],
    ['mysql', '\'it\\\'s :email\' "say \\" :email" `a:email` # :email'],
    ['mysql', '@a := 1 -- :email'],
    ['sqlite', '\':email\' [a:email] `a:email` "a:email" /* :email */'],
  ])('%s has none in %s', (connector, sql) => {
    expect(splitStatement(sql, connector)).toEqual([sql]);
    expect(parametersOf(`${sql}\n:tenant`, connector)).toEqual(new Set(['tenant']));
  });

  it('may be followed by a cast', () => {
    expect(splitStatement(':email::text', 'postgres')).toEqual([{ parameter: 'email' }, '::text']);
  });

  it('are found after a text that ends with a backslash, if that is not an escape', () => {
    expect(parametersOf("a = 'x\\' AND b = :email", 'postgres')).toEqual(new Set(['email']));
    expect(parametersOf("a = 'x\\' AND b = :email", 'sqlite')).toEqual(new Set(['email']));
  });
});

describe('a statement', () => {
  it.each(['a; b', 'a;;b', "a /* ; */; b ';'", 'a; -- c\nb'])('is several in %j', (sql) => {
    expect(holdsSeveralStatements(sql, 'postgres')).toBe(true);
  });

  it.each(['a', 'a;', 'a ; -- b', "a = ';' AND b", 'a /* ; */ b', 'a; /* b */ ;'])(
    'is a single statement in %j',
    (sql) => {
      expect(holdsSeveralStatements(sql, 'postgres')).toBe(false);
    },
  );

  it('may not begin or end a transaction, nor hide that behind a comment', () => {
    expect(speaksOfTransactions('COMMIT', 'postgres')).toBe(true);
    expect(speaksOfTransactions('/* x */ -- y\n Rollback TO a', 'postgres')).toBe(true);
    expect(speaksOfTransactions('# x\nCOMMIT', 'mysql')).toBe(true);
    expect(speaksOfTransactions('DELETE FROM commit', 'postgres')).toBe(false);
    expect(speaksOfTransactions('-- commit\nSELECT 1', 'postgres')).toBe(false);
  });
});
