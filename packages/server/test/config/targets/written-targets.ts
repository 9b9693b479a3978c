// Targets as operators write them, and the targets that are read from them.
import { stringify } from 'yaml';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import { useGivenSettings } from '../given.ts';

type Fields = Readonly<Record<string, unknown>>;

export const TABLE: Fields = { table: 'customers', match: { email: 'email' } };

/** The least that is a target, of each connector that needs no file. */
export const sqlTarget = (fields: Fields = {}): Fields => ({
  connector: 'postgres',
  url: 'postgres://user:hunter2@db.example/shop',
  tenancy: 'none',
  tables: [TABLE],
  ...fields,
});

export const statementsTarget = (sql: Fields = {}, fields: Fields = {}): Fields => ({
  connector: 'mysql',
  url: 'mysql://db.example/legacy',
  tenancy: 'none',
  sql: {
    preview: 'SELECT count(*) FROM people WHERE mail = :email',
    erase: 'DELETE FROM people WHERE mail = :email',
    verify: 'SELECT count(*) FROM people WHERE mail = :email',
    ...sql,
  },
  ...fields,
});

export const httpTarget = (fields: Fields = {}): Fields => ({
  connector: 'http',
  url: 'https://crm.example/erase',
  ...fields,
});

export const opendsrTarget = (fields: Fields = {}): Fields => ({
  connector: 'opendsr',
  url: 'https://opendsr.mailer.example/v2',
  controllers: ['acme'],
  basic: { username: 'us', password: 'secret' },
  ...fields,
});

export const s3Target = (fields: Fields = {}): Fields => ({
  connector: 's3',
  url: 'https://s3.eu-central-1.amazonaws.com/uploads',
  access_key: 'AKIAEXAMPLE',
  secret_key: 'secret',
  controllers: ['acme'],
  objects: { avatars: 'users/{email|lower}/' },
  ...fields,
});

export function useWrittenTargets() {
  const given = useGivenSettings();

  function read(targets: Fields, environment: Record<string, string> = {}) {
    return given.load({ file: stringify({ targets }), environment }).config.targets;
  }

  return {
    ...given,
    read,
    /** The one target, of the connector that the test knows. */
    one<C extends TargetConfig['connector']>(
      target: Fields,
      environment: Record<string, string> = {},
    ): TargetConfig & { connector: C } {
      return read({ it: target }, environment)[0] as TargetConfig & { connector: C };
    },
    /** Without the file's path and the line before each. */
    problemsOf(targets: Fields, environment: Record<string, string> = {}): string[] {
      const problems = given.problems({ file: stringify({ targets }), environment });
      return problems.map((problem) => problem.replace(/^\S+unwrite\.config\.yaml:\d+: /, ''));
    },
  };
}
