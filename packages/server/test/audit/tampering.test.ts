import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashHead } from '../../src/audit/chain.ts';
import { keyIdOf } from '../../src/audit/published-key.ts';
import { makeAuditWorld } from './audit-world.ts';
import { INSERT, makeSealedLog, SWAP } from './sealed-log.ts';

describe('an unchanged log', () => {
  it('verifies, and says what is covered and what is not yet', async () => {
    const { verify, last } = await makeSealedLog();
    expect(await verify([last])).toEqual({
      problems: [],
      rowsNamed: [],
      accepted: [],
      heads: 3,
      rows: 9,
      unsealed: 2,
      cut: { heads: 0, lastAuditNo: 0, time: 0 },
      last,
    });
  });

  it('proves nothing while it has no head', async () => {
    const { write, verify } = await makeAuditWorld();
    await write(2);
    expect(await verify()).toMatchObject({
      problems: ['there is no head: nothing in it is proven'],
      heads: 0,
      unsealed: 2,
    });
  });
});

describe('what SQL from outside did to the log', () => {
  it.each<[string, string[], string]>([
    [
      'a changed actor',
      ["UPDATE audit_rows SET actor = 'operator:eve' WHERE audit_no = 5"],
      'row 5 was changed',
    ],
    [
      'a changed time',
      ['UPDATE audit_rows SET time = time + 1 WHERE audit_no = 1'],
      'row 1 was changed',
    ],
    [
      'a changed detail',
      ["UPDATE audit_rows SET detail = '{}' WHERE audit_no = 2"],
      'row 2 was changed',
    ],
    [
      'a row given to another request',
      ['UPDATE audit_rows SET request_no = 77 WHERE audit_no = 7'],
      'row 7 was changed',
    ],
    [
      'a text that became null',
      ['UPDATE audit_rows SET controller_id = NULL WHERE audit_no = 9'],
      'row 9 was changed',
    ],
    ['a removed row', ['DELETE FROM audit_rows WHERE audit_no = 4'], 'row 4 was removed'],
    ['the first row removed', ['DELETE FROM audit_rows WHERE audit_no = 1'], 'row 1 was removed'],
    [
      'a removed row that no head covers',
      ['DELETE FROM audit_rows WHERE audit_no = 10'],
      'row 10 was removed',
    ],
    ['two rows swapped', SWAP(2, 3), 'row 2 was changed'],
    ['two rows of different heads swapped', SWAP(3, 8), 'row 3 was changed'],
    [
      'a row inserted for a removed one',
      ['DELETE FROM audit_rows WHERE audit_no = 6', INSERT(6)],
      'row 6 was changed',
    ],
    [
      'rows moved up to insert one',
      [
        'UPDATE audit_rows SET audit_no = audit_no + 1000 WHERE audit_no >= 7',
        INSERT(7),
        'UPDATE audit_rows SET audit_no = audit_no - 999 WHERE audit_no > 1000',
      ],
      'row 7 was changed',
    ],
    [
      'a head that ends earlier',
      ['UPDATE audit_heads SET last_audit_no = 5 WHERE head_no = 2'],
      'head 2 was changed',
    ],
    [
      'a head of another time',
      ['UPDATE audit_heads SET time = 0 WHERE head_no = 1'],
      'head 1 was changed',
    ],
    [
      'a head that follows another',
      ['UPDATE audit_heads SET previous_hash = zeroblob(32) WHERE head_no = 3'],
      'head 3 does not follow the one before it',
    ],
    [
      'a removed head',
      ['DELETE FROM audit_heads WHERE head_no = 2'],
      'head 2 is missing: the next one is 3',
    ],
    [
      'a signature of nobody',
      ['UPDATE audit_heads SET signature = zeroblob(64) WHERE head_no = 1'],
      'the signature of head 1 was not made with the given key',
    ],
  ])('names the place of %s', async (_, statements, problem) => {
    const { tamper, verify } = await makeSealedLog();
    tamper(...statements);
    expect((await verify()).problems[0]).toBe(problem);
  });

  it('is named place by place', async () => {
    const { tamper, verify } = await makeSealedLog();
    tamper(
      "UPDATE audit_rows SET actor = 'eve' WHERE audit_no IN (2, 8)",
      'DELETE FROM audit_rows WHERE audit_no = 5',
    );
    expect((await verify()).problems).toEqual([
      'row 2 was changed',
      'row 5 was removed',
      'row 8 was changed',
    ]);
    expect((await verify()).rows).toBe(6);
  });

  it('is found by a head that was kept, if rows and heads at the end were cut', async () => {
    const { tamper, verify, last } = await makeSealedLog();
    tamper(
      'DELETE FROM audit_heads WHERE head_no = 3',
      'DELETE FROM audit_rows WHERE audit_no > 6',
    );
    expect((await verify()).problems).toEqual([]);
    expect((await verify([last])).problems).toEqual([
      'head 3 was recorded and is missing: the log was cut after head 2 (row 6)',
    ]);
  });
});

describe('what SQL from outside did to the log', () => {
  it('is found by a head that was kept, if the log continued after the cut', async () => {
    const { tamper, verify, last, write, seal } = await makeSealedLog();
    tamper(
      'DELETE FROM audit_heads WHERE head_no = 3',
      'DELETE FROM audit_rows WHERE audit_no > 6',
      'UPDATE sqlite_sequence SET seq = 6',
    );
    await write(5);
    await seal();
    expect((await verify()).problems).toEqual([]);
    expect((await verify([last])).problems).toEqual(['head 3 differs from the recorded one']);
  });

  it('is found if a whole chain was made again with another key', async () => {
    const { tamper, verify, heads } = await makeSealedLog();
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    tamper(
      'DELETE FROM audit_heads WHERE head_no = 3',
      "UPDATE audit_rows SET actor = 'operator:eve' WHERE audit_no = 8",
    );
    const previousHash = (await heads.newestHead())?.hash ?? Buffer.alloc(32);
    const unsigned = {
      headNo: 3,
      firstAuditNo: 7,
      lastAuditNo: 9,
      time: 1,
      previousHash,
      rowsHash: Buffer.alloc(32, 1),
      treeFirst: 1,
      keyId: keyIdOf(publicKey),
    };
    const hash = hashHead(unsigned);
    await heads.addHead(
      {
        ...unsigned,
        hash,
        saltSeed: null,
        signature: sign(null, hash, privateKey),
      },
      [],
    );
    expect((await verify()).problems[0]).toBe(
      'the signature of head 3 was not made with the given key',
    );
  });

  it('stops the log if the newest rows were removed: their numbers are not used again', async () => {
    const { tamper, verify, write, seal, sealAudit, clock } = await makeSealedLog();
    tamper('DELETE FROM audit_rows WHERE audit_no > 9');
    await write(1);
    await expect(sealAudit(clock.now)).rejects.toThrow(
      'rows 10 to 11 of the audit log were removed',
    );
    expect((await verify()).problems).toEqual(['row 10 was removed', 'row 11 was removed']);
    await sealAudit(clock.now, true);
    await write(1);
    expect(await seal()).toMatchObject({ firstAuditNo: 13 });
  });

  it('stops the log if a row was removed before it was sealed', async () => {
    const { tamper, verify, sealAudit, clock } = await makeSealedLog();
    tamper('DELETE FROM audit_rows WHERE audit_no = 10');
    await expect(sealAudit(clock.now)).rejects.toThrow('row 10 of the audit log was removed');
    expect((await verify()).problems).toEqual(['row 10 was removed']);
  });
});
