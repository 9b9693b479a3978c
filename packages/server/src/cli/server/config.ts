import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { showSettings } from '../../config/show.ts';
import { visibleLines } from '../../domain/visible-text.ts';
import { settingsOf, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable } from '../shared/output.ts';
import { addConfigReload } from './reload.ts';

export function addConfigCommands(program: Command): void {
  const config = program.command('config').description('Settings: show, check and reload them');

  const show = config
    .command('show')
    .description('Print the effective settings and where each came from; secrets are masked');
  withJson(withSettings(show)).action(({ json }: { json?: boolean }) => {
    const loaded = settingsOf(show);
    const settings = showSettings(loaded);
    if (json) {
      printJson({ file: loaded.file ?? null, settings });
      return;
    }
    printTable(
      ['setting', 'value', 'from'],
      settings.map(({ name, value, source }) => [name, value, source]),
    );
    for (const warning of loaded.warnings)
      process.stderr.write(visibleLines(`unwrite: warning: ${warning}\n`));
  });

  const check = config
    .command('check')
    .description('Check the settings: names every problem, and exits with 78 if there is one');
  withJson(withSettings(check)).action(async ({ json }: { json?: boolean }) => {
    const loaded = settingsOf(check);
    const { file } = loaded;
    const warnings = [...loaded.warnings, ...(await certificateWarnings(loaded.config))];
    if (json) {
      printJson({ ok: true, file: file ?? null, warnings });
      return;
    }
    printLines(`The settings are valid (${file ?? 'no configuration file'}).`);
    for (const warning of warnings) printLines(`warning: ${warning}`);
  });

  addConfigReload(config);

  config
    .command('schema')
    .description('Print the JSON schema of unwrite.config.yaml, for editors')
    .action(async () => {
      const { configJsonSchema } = await import('../../config/json-schema.ts');
      printJson(configJsonSchema());
    });
}

/** Throws `CertificateProblem` or `TlsProblem` where the service would refuse to start. */
async function certificateWarnings(config: Config): Promise<string[]> {
  const { certificateSource } = await import('../../app/certificate.ts');
  const { openTls } = await import('../../app/tls.ts');
  openTls(config);
  const certificate = certificateSource(config)?.read();
  if (certificate === undefined) return [];
  const { certificateAlarm } = await import('../../domain/certificate/validity.ts');
  const alarm = certificateAlarm(certificate, Date.now());
  return alarm === undefined ? [] : [alarm.message];
}
