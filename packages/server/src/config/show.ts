// The effective settings with their sources; secrets are masked.

import type { LoadedConfig } from './config.ts';
import type { Setting } from './setting.ts';
import { SETTING_KEYS, SETTINGS } from './settings.ts';

export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

export function showSettings({ config, sources }: LoadedConfig): ShownSetting[] {
  return SETTING_KEYS.map((key) => {
    const setting: Setting<unknown> = SETTINGS[key];
    const value: unknown = config[key];
    return {
      name: setting.name,
      value: value === undefined ? '-' : shown(setting, value),
      source: sources[key] ?? 'default',
    };
  });
}

function shown({ kind, secret }: Setting<unknown>, value: unknown): string {
  if (!secret) return kind.write(value);
  return kind.mask === undefined ? '********' : kind.mask(value);
}
