// What a setting is: one name in three spellings, a kind that reads it, and a default.

/** Says what is wrong with a value, for people; becomes "PORT must be …". */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

export interface Kind<T> {
  /** Reads a value from a flag or the environment (always text) or from the file. */
  read(raw: unknown): T;
  /** For editors of the configuration file. */
  readonly schema: Record<string, unknown>;
  /** As one would write it, for `config show`. */
  write(value: T): string;
}

export interface Setting<T> {
  /** As in the file: `cancellation_window`. */
  readonly name: string;
  readonly environment: string;
  readonly flag: string;
  readonly description: string;
  readonly kind: Kind<T>;
  readonly secret: boolean;
  /** Said in help and docs where the default depends on other settings. */
  readonly defaultText: string;
}

export function setting<T>(
  name: string,
  kind: Kind<T>,
  description: string,
  defaultText: string,
  options: { environment?: string; secret?: boolean } = {},
): Setting<T> {
  return {
    name,
    environment: options.environment ?? `UNWRITE_${name.toUpperCase()}`,
    flag: `--${name.replaceAll('_', '-')}`,
    description,
    kind,
    secret: options.secret ?? false,
    defaultText,
  };
}
