import type { Command } from 'commander';
import { addStoreCopy } from './copy.ts';

export function addStoreCommands(program: Command): void {
  const store = program.command('store').description('The store as a whole');
  addStoreCopy(store);
}
