// unwrite target prepare: lets a database say how a transaction ended whose worker died.
import type { Command } from 'commander';
import { readTargetDatabase } from '../../config/targets/sql/read-database.ts';
import { TargetDown } from '../../domain/target/connector.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withConfigFile } from '../shared/options.ts';

interface PrepareOptions {
  readonly config?: string;
  readonly run?: boolean;
}

export function addTargetPrepare(target: Command): void {
  const prepare = target
    .command('prepare <name>')
    .description(
      'Print the table by which MySQL, MariaDB or SQLite says how an interrupted transaction ended',
    )
    .option('--run', 'Create it, with the account of the target');
  withConfigFile(prepare).action(async (name: string, options: PrepareOptions) => {
    const { config = process.env.UNWRITE_CONFIG, run = false } = options;
    const database = readTargetDatabase(name, {}, config, process.env, process.cwd());
    const { prepareTarget } = await import('../../app/connectors.ts');
    try {
      process.stdout.write(await prepareTarget(database, run));
    } catch (error) {
      if (!(error instanceof TargetDown)) throw error;
      throw new CommandFailure(`${name}: ${error.message} (${error.code})`);
    }
  });
}
