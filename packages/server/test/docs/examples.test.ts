// What operators copy from examples/ and the pages about http and module targets must be right.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useGivenSettings } from '../config/given.ts';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const { load, write } = useGivenSettings();

/** Blocks that hold whole targets. */
function targetsIn(page: string): string[] {
  return [...read(page).matchAll(/^```yaml\n(targets:\n[^`]*)^```$/gm)].map(
    ([, yaml = '']) => yaml,
  );
}

describe('targets to copy', () => {
  it.each([
    [
      'examples/http-target/unwrite.config.yaml',
      () => read('examples/http-target/unwrite.config.yaml'),
    ],
    [
      'examples/module-target/unwrite.config.yaml',
      () => read('examples/module-target/unwrite.config.yaml'),
    ],
    ['docs/targets-http.md', () => targetsIn('docs/targets-http.md')[0] ?? ''],
    ['docs/targets-opendsr.md', () => targetsIn('docs/targets-opendsr.md')[0] ?? ''],
    ['docs/targets-module.md', () => targetsIn('docs/targets-module.md')[0] ?? ''],
  ])('are read without a problem: %s', (_, yaml) => {
    write('files.ts', '');
    const { config } = load({
      file: yaml(),
      environment: {
        CRM_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        MAILER_SECRET: 's3cret',
      },
    });

    expect(config.targets).toHaveLength(1);
  });
});
