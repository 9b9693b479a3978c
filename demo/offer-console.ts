// The end of the demo, at a terminal: the service goes on with data of every state, to be looked at in the console.
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { makeEveryState } from './every-state.ts';
import { say } from './progress.ts';
import type { Unwrite } from './unwrite.ts';

export async function offerConsole(folder: string, unwrite: Unwrite): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const answer = await terminal.question('Keep it running, and look at it in the console? [Y/n] ');
  terminal.close();
  if (/^n/i.test(answer.trim())) return;
  say('Adding requests in every state: held, by hand, at a target that is down, late, cancelled …');
  await unwrite.stop();
  const running = await makeEveryState(folder);
  const { url } = running.command('console', 'link', '--role', 'admin', '--as', 'demo') as {
    url: string;
  };
  say('', `The console: ${url}`, '', 'The link works once, for ten minutes. Ctrl-C ends the demo.');
  await once(running.ended, 'exit');
}
