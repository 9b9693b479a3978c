import type { Command } from 'commander';
import { asTyped } from '../../domain/own-command.ts';
import { visibleLine } from '../../domain/visible-text.ts';
import { ReportedFailure } from '../shared/failure.ts';
import { explainStore } from '../shared/installation.ts';
import { settingsOf, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines, printRows } from '../shared/output.ts';

/** Widths of the longest level and subject of ours, so that the lines align as they come. */
const LEVEL_WIDTH = 'problem'.length;
const SUBJECT_WIDTH = 'certificate'.length;

export function addDoctorCommand(program: Command): void {
  const doctor = program
    .command('doctor')
    .description(
      'Check settings, store, keys, disk, clock, targets, nodes and backups; exits with 1 if there is a problem',
    );
  withJson(withSettings(doctor)).action(async ({ json }: { json?: boolean }) => {
    const loaded = settingsOf(doctor);
    const { examine } = await import('../../app/doctor/examine.ts');
    const lines: { level: string; subject: string; message: string }[] = [];
    for await (const line of examine(loaded, (work) => explainStore(loaded.config, work))) {
      lines.push(line);
      const { level, subject, message } = line;
      if (!json) {
        const row = [
          level.padEnd(LEVEL_WIDTH),
          subject.padEnd(SUBJECT_WIDTH),
          asTyped(visibleLine(message)),
        ];
        printRows([row]);
      }
    }
    const count = (wanted: string) => lines.filter(({ level }) => level === wanted).length;
    if (json) printJson({ ok: count('problem') === 0, lines });
    else
      printLines(
        `${counted(count('problem'), 'problem')}, ${counted(count('warning'), 'warning')}.`,
      );
    if (count('problem') > 0) throw new ReportedFailure();
  });
}
