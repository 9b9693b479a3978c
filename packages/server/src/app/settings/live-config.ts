// The settings in force on this node.
import { type Config, ConfigError, type LoadedConfig } from '../../config/config.ts';
import { compareConfigs, configDigest } from '../../config/reloadable.ts';

/** Sources of the settings, for display. */
export type GivenSettings = Pick<LoadedConfig, 'sources' | 'file'>;

/** What a reload would change, or why it is refused. */
export type Candidate =
  | {
      readonly loaded: LoadedConfig;
      /** Names of settings. */
      readonly changed: readonly string[];
    }
  | { readonly reasons: readonly string[] };

export interface LiveConfig {
  current(): Config;
  given(): GivenSettings;
  /** Of the settings that all nodes should have alike. */
  digest(): string;
  /** Reads flags, environment and file as at start. */
  read(): Candidate;
  take(loaded: LoadedConfig): void;
}

export function createLiveConfig(
  started: Config,
  given: GivenSettings,
  readAgain: () => LoadedConfig,
): LiveConfig {
  let config = started;
  let { sources, file } = given;
  let digest = configDigest(config);
  return {
    current: () => config,
    given: () => ({ sources, file }),
    digest: () => digest,
    read() {
      try {
        const loaded = readAgain();
        const { changed, refusals } = compareConfigs(config, loaded.config);
        return refusals.length > 0 ? { reasons: refusals } : { loaded, changed };
      } catch (error) {
        if (error instanceof ConfigError) return { reasons: error.problems };
        throw error;
      }
    },
    take(loaded) {
      ({ config, sources, file } = loaded);
      digest = configDigest(config);
    },
  };
}
