// SHOW CREATE TABLE, as the servers print it: what changes from version to version is how names are quoted.
import { describe, expect, it } from 'vitest';
import { actionIn } from '../../../src/connectors/mysql/hidden-actions.ts';

const CASCADE = { onDelete: 'CASCADE', onUpdate: 'CASCADE' };

/** Statements as they were printed for a key with this name, ON DELETE SET NULL. */
const PRINTED: readonly (readonly [server: string, name: string, line: string])[] = [
  [
    'MariaDB before 10.11.19',
    'c `)',
    'CONSTRAINT `c `)` FOREIGN KEY (`payer`) REFERENCES `p` (`id`) ON DELETE SET NULL',
  ],
  [
    'MariaDB 10.11.19',
    'c `)',
    'CONSTRAINT `c ``)` FOREIGN KEY (`payer`) REFERENCES `p` (`id`) ON DELETE SET NULL',
  ],
  [
    'MySQL 9.7',
    'c `)',
    'CONSTRAINT `c ``)` FOREIGN KEY (`payer`) REFERENCES `p` (`id`) ON DELETE SET NULL',
  ],
  [
    'any',
    'bills_ibfk_1',
    'CONSTRAINT `bills_ibfk_1` FOREIGN KEY (`payer`) REFERENCES `p` (`id`) ON DELETE SET NULL',
  ],
  [
    'any',
    'of two',
    'CONSTRAINT `of two` FOREIGN KEY (`a`, `b)`) REFERENCES `x`.`p` (`a`, `b (`) ON DELETE SET NULL',
  ],
];

const table = (...lines: readonly string[]) =>
  `CREATE TABLE \`bills\` (\n  \`payer\` int(11) DEFAULT NULL,\n  ${lines.join(',\n  ')}\n) ENGINE=InnoDB`;

describe('what a foreign key does, read from SHOW CREATE TABLE', () => {
  it.each(PRINTED)('as %s prints the key %s', (_, name, line) => {
    const expected = { onDelete: 'SET NULL', onUpdate: 'RESTRICT' };
    expect(actionIn(table(line), name)).toEqual(expected);
    const other = 'CONSTRAINT `other` FOREIGN KEY (`x`) REFERENCES `p` (`id`) ON DELETE CASCADE';
    expect(actionIn(table(other, line), name)).toEqual(expected);
  });

  it.each([
    ['', 'RESTRICT'],
    [' ON UPDATE CASCADE', 'CASCADE'],
    [' ON DELETE NO ACTION ON UPDATE SET NULL', 'SET NULL'],
  ])('with "%s" behind its columns', (actions, onUpdate) => {
    const line = `CONSTRAINT \`c\` FOREIGN KEY (\`a\`) REFERENCES \`p ON UPDATE CASCADE\` (\`id\`)${actions}`;
    expect(actionIn(table(line), 'c').onUpdate).toBe(onUpdate);
  });

  it('is the worst of all where the text does not have the key', () => {
    expect(actionIn(table('KEY `c` (`payer`)'), 'c')).toEqual(CASCADE);
  });

  it('is the worst of all where two keys could be meant that do different things', () => {
    const [one, two] = ['RESTRICT', 'SET NULL'].map(
      (action, n) =>
        `CONSTRAINT \`a${'`'.repeat(n + 1)}b\` FOREIGN KEY (\`x\`) REFERENCES \`p\` (\`id\`) ON DELETE ${action}`,
    );
    expect(actionIn(table(one ?? '', two ?? ''), 'a`b')).toEqual(CASCADE);
  });
});
