// Settings as a test gives them: flags, environment, and a file in a folder of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { ConfigError, type LoadedConfig, loadConfig } from '../../src/config/config.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';

export interface Given {
  readonly flags?: Record<string, unknown>;
  readonly environment?: Record<string, string>;
  /** unwrite.config.yaml */
  readonly file?: string;
}

export function useGivenSettings() {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = makeTemporaryFolder();
  });
  afterEach(() => folder.remove());

  function load({ flags = {}, environment = {}, file }: Given): LoadedConfig {
    if (file !== undefined) write('unwrite.config.yaml', file);
    return loadConfig(flags, environment, folder.path);
  }

  function problems(given: Given): readonly string[] {
    try {
      load(given);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    throw new Error('the settings have no problem');
  }

  function write(name: string, content: string): string {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  }

  return { load, problems, write, directory: () => folder.path };
}
