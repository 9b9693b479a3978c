import type { Command } from 'commander';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines, printTable, time } from '../shared/output.ts';

interface Options {
  readonly remove?: boolean;
  readonly json?: boolean;
}

export function addAuditSetAside(audit: Command): void {
  const command = audit
    .command('set-aside')
    .description('Show rows and heads that were set aside because Unwrite did not write them')
    .option(
      '--remove',
      'Delete them after you have reviewed them; "audit verify" then passes again',
    );
  withActor(withJson(withSettings(command))).action(({ remove, json }: Options) =>
    withInstallation(command, async ({ store }) => {
      const found = await store.auditLog.setAside();
      if (json) {
        printJson(
          found.map((it) => ({ ...it, time: time(it.time), content: JSON.parse(it.content) })),
        );
      } else if (found.length === 0) printLines('Nothing was set aside.');
      else {
        printTable(
          ['time', 'kind', 'number', 'content'],
          found.map((it) => [time(it.time), it.kind, it.number, it.content]),
        );
      }
      if (!remove) return;
      const by = { actor: actorOf(command), now: store.clock() };
      const removed = await store.auditLog.removeSetAside(by);
      if (!json) printLines(`Deleted: ${counted(removed, 'item')}.`);
    }),
  );
}
