// A controller that is not listed under `tenants` is written as its own id. Where that id is the value of
// another controller, its rows would be that one's.
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSqlConnector } from '../../../src/connectors/sql/create-sql-connector.ts';
import type { Connector } from '../../../src/domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { useWrittenTargets } from '../../config/targets/written-targets.ts';
import { subjectOf } from '../../helpers/subject.ts';

const { one, directory } = useWrittenTargets();
const WHERE = 'FROM people WHERE email = :email AND owner = :tenant';
const ways = {
  tables: {
    tenant_column: 'owner',
    tables: [{ table: 'people', match: { email: 'email' } }],
  },
  statements: {
    sql: {
      preview: `SELECT count(*) ${WHERE}`,
      erase: `DELETE ${WHERE}`,
      verify: `SELECT count(*) ${WHERE}`,
    },
  },
};

let connector: Connector;
beforeEach(() => {
  const database = new DatabaseSync(`${directory()}/people.db`);
  database.exec(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, owner TEXT, email TEXT);
    INSERT INTO people (owner, email) VALUES
      ('globex', 'jane@example.com'), ('constructor', 'jane@example.com'), (NULL, 'jane@example.com');
  `);
  database.close();
});
afterEach(() => connector.close());

describe.each(Object.entries(ways))('tenant values by %s', (_, way) => {
  async function preview(controllerId: string) {
    const target = { connector: 'sqlite', file: 'people.db', tenants: { acme: 'globex' }, ...way };
    connector = createSqlConnector(one(target) as SqlTargetConfig, { hash: String });
    const [answer] = await connector.preview([
      subjectOf(1, [['email', 'jane@example.com']], controllerId),
    ]);
    return answer;
  }

  it('are those that the operator wrote, or the id itself', async () => {
    expect(await preview('acme')).toMatchObject({ outcome: 'found', counts: expect.anything() });
    await connector.close();
    const answer = await preview('constructor');
    expect(answer?.outcome === 'found' && Object.values(answer.counts)).toEqual([1]);
  });

  it("are never another controller's", async () => {
    expect(await preview('globex')).toMatchObject({
      outcome: 'failed',
      code: 'tenant_misfit',
      detail: expect.stringContaining('list globex under tenants'),
    });
  });
});
