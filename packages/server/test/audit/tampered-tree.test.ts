import { describe, expect, it } from 'vitest';
import { makeSealedLog } from './sealed-log.ts';

describe('what SQL from outside did to the tree', () => {
  it('names a head that was made to end far beyond all rows, without memory for all of them', async () => {
    const { tamper, verify } = await makeSealedLog();
    tamper('UPDATE audit_heads SET last_audit_no = 4102444800000 WHERE head_no = 2');
    expect((await verify()).problems.slice(0, 2)).toEqual([
      'head 2 was changed',
      'head 2 ends at row 4102444800000, which is more than a head can cover',
    ]);
  });

  const REMOVED = (head: number, first: number, last: number) =>
    `the rows of head ${head} (${first} to ${last}) were removed, and no signed record says that they were removed by retention`;

  it.each<[string, string[], string[]]>([
    [
      'rows of the first heads, with whatever told of them',
      [
        'DELETE FROM audit_rows WHERE audit_no <= 6',
        'UPDATE audit_heads SET salt_seed = NULL WHERE head_no <= 2',
      ],
      [REMOVED(1, 1, 3), REMOVED(2, 4, 6)],
    ],
    [
      'rows and a record that somebody made up',
      [
        'DELETE FROM audit_rows WHERE audit_no <= 3',
        'UPDATE audit_heads SET salt_seed = NULL WHERE head_no <= 1',
        `INSERT INTO audit_cuts SELECT head_no, hash, last_audit_no, time, 0, time, key_id, signature, NULL
         FROM audit_heads WHERE head_no = 1`,
      ],
      [
        'the record that rows up to head 1 were cut was not signed with the given key, or was changed',
        REMOVED(1, 1, 3),
      ],
    ],
    [
      'salts',
      ['UPDATE audit_heads SET salt_seed = NULL WHERE head_no = 2'],
      ['the salts of head 2 were removed: its rows cannot be checked'],
    ],
    [
      'stored hashes',
      ['UPDATE audit_tiles SET hashes = zeroblob(length(hashes))'],
      [1, 2, 3].map(
        (head) =>
          `the stored hashes of the rows of head ${head} (${3 * head - 2} to ${3 * head}) were changed; the rows were not`,
      ),
    ],
    [
      'stored hashes and a row',
      [
        'DELETE FROM audit_tiles',
        "UPDATE audit_rows SET actor = 'operator:eve' WHERE audit_no = 5",
      ],
      [
        'the stored hashes of the rows of head 1 (1 to 3) were changed; the rows were not',
        'rows of head 2 (4 to 6) were changed, and the stored hashes that would tell which',
        'rows of head 3 (7 to 9) were changed, and the stored hashes that would tell which',
      ],
    ],
    [
      'the root of a head',
      ['UPDATE audit_heads SET rows_hash = zeroblob(32) WHERE head_no = 3'],
      ['head 3 was changed'],
    ],
    [
      'where the tree begins',
      ['UPDATE audit_heads SET tree_first = 4 WHERE head_no = 2'],
      ['head 2 was changed'],
    ],
    [
      'the key that a head names',
      ["UPDATE audit_heads SET key_id = '0000000000000000' WHERE head_no = 2"],
      ['head 2 was changed'],
    ],
  ])('names the place of changed %s', async (_, statements, problems) => {
    const { tamper, verify } = await makeSealedLog();
    tamper(...statements);
    expect((await verify()).problems.slice(0, problems.length)).toEqual(problems);
  });

  it('stops sealing; once that is accepted, a new tree begins, and the log continues', async () => {
    const { tamper, verify, sealAudit, write, seal, clock } = await makeSealedLog();
    tamper('UPDATE audit_tiles SET hashes = zeroblob(length(hashes))');
    await expect(sealAudit(clock.now)).rejects.toThrow(
      'the stored hashes of the audit log were changed',
    );
    expect(await sealAudit(clock.now, true)).toMatchObject({ head: { treeFirst: 10 } });
    await write(1);
    await seal();
    const { problems, accepted } = await verify();
    expect(problems).toHaveLength(3);
    expect(accepted).toEqual([
      'head 4 begins a new tree: the hashes before it were changed, or too many rows were missing',
    ]);
  });
});
