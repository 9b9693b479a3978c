import { describe, expect, it } from 'vitest';
import { runUnwrite } from '../helpers/servers/server-process.ts';
import { useGivenSettings } from './given.ts';

const { problems, write, directory } = useGivenSettings();
const withoutPath = (problem = '') => problem.replace(`${directory()}/`, '');

describe('a problem in the configuration file', () => {
  it('is named with its line, down to the innermost name that the file has', () => {
    const file = `
log_level: loud
targets:
  shop:
    connector: postgres
    url: postgres://db/shop
    tenancy: none
    tables:
      - table: orders
        match: { emial: x }
      - table: billing.invoices
        match:
          email: email
        action:
          overwrite:
            billing.name: []
`;
    expect(problems({ file }).map(withoutPath)).toEqual([
      expect.stringMatching(/^unwrite\.config\.yaml:2: log_level must be one of/),
      expect.stringMatching(
        /^unwrite\.config\.yaml:10: targets\.shop\.tables\[0\]\.match\.emial: is not/,
      ),
      expect.stringMatching(/^unwrite\.config\.yaml:16: .*overwrite\.billing\.name: must be null/),
    ]);
  });

  it('is named with the line of the parent if something is missing', () => {
    const file = 'targets:\n  shop:\n    connector: sqlite\n    tenancy: none\n    tables: []\n';
    expect(problems({ file }).map(withoutPath)).toContain(
      'unwrite.config.yaml:2: targets.shop.file: is missing',
    );
  });
});

describe('a file that is not YAML', () => {
  it('is shown with the text of the line and a caret', () => {
    write('unwrite.config.yaml', 'log_level: warn\nport: 80: 80\n');
    const { exitCode, stderr } = runUnwrite(['config', 'check'], { cwd: directory() });
    expect(exitCode).toBe(78);
    const [head, place, line, caret] = stderr.split('\n');
    expect(head).toBe('unwrite: the settings have a problem');
    expect(place).toMatch(/^ {2}- .*unwrite\.config\.yaml:2:7: \S/);
    expect(line).toBe('    port: 80: 80');
    expect(caret).toBe(`    ${' '.repeat(6)}^`);
  });

  it.each([
    ['a value of a secret name', 'bearer: hunter2: x'],
    ['a secret name without a colon', 'a: {\nbearer hunter2 : : }'],
    ['a password in an address', 'url: postgres://u:hunter2@db: x'],
    ['a long word', 'name: aGVsbG8gd29ybGQhunter2: x'],
    ['the lines below a secret name', 'master_key:\n  hunter2: x: y'],
    ['a quoted secret of several lines', 'master_key: "abc\nhunter2" x'],
  ])('never shows %s', (_, file) => {
    const [problem = ''] = problems({ file });
    expect(problem).toMatch(/yaml:\d+:\d+: /);
    expect(problem).not.toContain('hunter2');
  });
});
