// What editors and readers get is made from src/config/settings.ts, or compared with it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Setting } from '../../src/config/setting.ts';
import { SETTING_KEYS, SETTINGS } from '../../src/config/settings.ts';
import { runUnwrite } from '../helpers/servers/server-process.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the JSON schema of unwrite.config.yaml', () => {
  // Anew: npx unwrite config schema > packages/server/unwrite.config.schema.json, then format it.
  it('is checked in as `unwrite config schema` prints it', () => {
    const printed = JSON.parse(runUnwrite(['config', 'schema']).stdout);
    expect(JSON.parse(read('../../unwrite.config.schema.json'))).toEqual(printed);
  });

  it('names every setting, says what it means, and allows nothing else', () => {
    const schema = JSON.parse(read('../../unwrite.config.schema.json'));
    const known = SETTING_KEYS.map((key) => SETTINGS[key].name as string);
    const names = Object.entries<{ properties?: object }>(schema.properties).flatMap(
      ([name, { properties = {} }]) => {
        const inner = Object.keys(properties).map((key) => `${name}.${key}`);
        return inner.some((it) => known.includes(it)) ? inner : [name];
      },
    );
    expect(names).toEqual(known);
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties.retention.additionalProperties).toBe(false);
  });
});

describe('docs/settings.md', () => {
  it('has a row for every setting with its three spellings, default and meaning', () => {
    const rows = read('../../../../docs/settings.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      // The formatter pads the columns.
      .map((line) => line.replaceAll(/ +/g, ' '));
    const expected = SETTING_KEYS.map((key) => {
      const { name, flag, environment, secret, defaultText, description, kind }: Setting<unknown> =
        SETTINGS[key];
      if (flag === null) return `| \`${name}\` | - | - | ${defaultText} | ${description} |`;
      const variable = `\`${environment}\`${secret ? `, \`${environment}_FILE\`` : ''}`;
      // A flag can be seen by all users of the machine.
      const offered = secret && kind.holdsSecret === undefined ? '-' : `\`${flag}\``;
      return `| \`${name}\` | ${variable} | ${offered} | ${defaultText} | ${description} |`;
    });
    expect(rows).toEqual(expected);
  });
});
