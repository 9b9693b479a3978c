import type { Command } from 'commander';
import { VERSION } from '../../app/version.ts';
import { withJson } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

export function addVersionCommand(program: Command): void {
  const command = program.command('version').description('Print the version');
  withJson(command).action(({ json }: { json?: boolean }) => {
    if (json) printJson({ name: 'unwrite', version: VERSION, node: process.version });
    else printLines(`unwrite ${VERSION} (Node.js ${process.version})`);
  });
}
