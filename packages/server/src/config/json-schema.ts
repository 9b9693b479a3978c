// The schema of unwrite.config.yaml for editors.
import { nestSchemas } from './grouped-settings.ts';
import type { Setting } from './setting.ts';
import { SETTING_KEYS, SETTINGS } from './settings.ts';

export function configJsonSchema(): Record<string, unknown> {
  const schemas = new Map(
    SETTING_KEYS.map((key): [string, unknown] => {
      const { name, kind, description, defaultText }: Setting<unknown> = SETTINGS[key];
      return [name, { ...kind.schema, description: `${description}. Default: ${defaultText}` }];
    }),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'unwrite.config.yaml',
    type: 'object',
    additionalProperties: false,
    properties: nestSchemas(schemas),
  };
}
