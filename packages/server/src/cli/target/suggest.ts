// unwrite target suggest: a first plan for a database, to be edited before it is used.

import type { Command } from 'commander';
import { type GivenDatabase, readTargetDatabase } from '../../config/targets/sql/read-database.ts';
import { TargetDown } from '../../domain/target/connector.ts';
import { visibleLines } from '../../domain/visible-text.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withConfigFile } from '../shared/options.ts';

interface SuggestOptions extends GivenDatabase {
  readonly config?: string;
}

export function addTargetSuggest(target: Command): void {
  const suggest = target
    .command('suggest <name>')
    .description(
      'Print a draft plan for a database, from its tables and foreign keys, to review and edit; reads no rows',
    )
    .option(
      '--connector <name>',
      'For a target that is not in the file yet: postgres, mysql or sqlite',
    )
    .option('--url-variable <name>', 'Environment variable with its address: SHOP_DATABASE_URL')
    .option('--file <path>', "The database's file, for sqlite");
  withConfigFile(suggest).action(async (name: string, options: SuggestOptions) => {
    const { config = process.env.UNWRITE_CONFIG, ...given } = options;
    const database = readTargetDatabase(name, given, config, process.env, process.cwd());
    const { suggestPlanFor } = await import('../../app/connectors.ts');
    try {
      process.stdout.write(visibleLines(await suggestPlanFor(database)));
    } catch (error) {
      if (!(error instanceof TargetDown)) throw error;
      throw new CommandFailure(`${name}: ${error.message} (${error.code})`);
    }
  });
}
