import { describe, expect, it } from 'vitest';
import { postgresStatement, sqliteStatement } from '../../src/store/dialect.ts';

describe('a shared statement in PostgreSQL', () => {
  it('has numbers for its named values, the same for the same name', () => {
    expect(postgresStatement('SELECT :a::bigint + :b, :a FROM @tasks', 'my "own"', true)).toEqual({
      text: 'SELECT $1::bigint + $2, $1 FROM "my ""own""".tasks',
      names: ['a', 'b'],
    });
  });

  it('is unchanged if its values have no names', () => {
    expect(postgresStatement("SELECT ':a', $2::text[], $1", 's', false)).toEqual({
      text: "SELECT ':a', $2::text[], $1",
      names: [],
    });
  });
});

describe('a shared statement in SQLite', () => {
  const cases: readonly (readonly [what: string, shared: string, sqlite: string])[] = [
    ['keeps named values and drops types', ':now::bigint - 1', ':now - 1'],
    [
      'reads a list from JSON',
      'no = ANY(:nos::bigint[])',
      'no IN (SELECT value FROM json_each(:nos))',
    ],
    [
      'reads a list to leave out from JSON',
      'no <> ALL(:nos::text[])',
      'no NOT IN (SELECT value FROM json_each(:nos))',
    ],
    [
      'reads bytes in a list as hexadecimal',
      'digest = ANY(:digests::bytea[])',
      'digest IN (SELECT unhex(value) FROM json_each(:digests))',
    ],
    ['writes bytes as hexadecimal', "SELECT encode(mac, 'hex')", 'SELECT lower(hex(mac))'],
    [
      'locks no rows',
      'SELECT 1 FROM @tasks FOR UPDATE OF tasks SKIP LOCKED',
      'SELECT 1 FROM tasks',
    ],
    ['has one table of requests', 'FROM @all_requests JOIN @plans', 'FROM requests JOIN plans'],
    ['has one table of audit rows', 'INTO @new_audit_rows', 'INTO audit_rows'],
    ['compares ids as they are', 'request_uuid = :id::uuid', 'subject_request_id = :id'],
    ['has bytes as they are', 'decode(it."key", \'hex\')', 'it."key"'],
    ['reads members of JSON', "evidence::json ->> 'action'", "evidence ->> 'action'"],
  ];
  it.each(cases)('%s', (_, shared, sqlite) => {
    expect(sqliteStatement(shared).text).toBe(sqlite);
  });

  it('is run once for each of many rows', () => {
    const shared = `INSERT INTO @intents SELECT "taskNo", :now::bigint, state
      FROM json_to_recordset(:rows::json) AS it ("taskNo" bigint, state text)`;
    expect(sqliteStatement(shared)).toEqual({
      text: `INSERT INTO intents SELECT "taskNo", ?, state
      FROM (SELECT ? AS "taskNo", ? AS state) AS it`,
      names: [],
      rows: { name: 'rows', places: [{ value: 'now' }, { column: 'taskNo' }, { column: 'state' }] },
    });
  });

  it('needs no join if it updates many rows by their own values', () => {
    const shared = `UPDATE @tasks SET state = done.state, due_time = coalesce(done."dueTime", :now)
      FROM json_to_recordset(:rows::json) AS done ("taskNo" bigint, state text, "dueTime" bigint)
      WHERE tasks.task_no = done."taskNo"`;
    expect(sqliteStatement(shared)).toEqual({
      text: `UPDATE tasks SET state = ?, due_time = coalesce(?, ?)
      WHERE tasks.task_no = ?`,
      names: [],
      rows: {
        name: 'rows',
        places: [
          { column: 'state' },
          { column: 'dueTime' },
          { value: 'now' },
          { column: 'taskNo' },
        ],
      },
    });
  });
});
