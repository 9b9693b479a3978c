// What a setting is: one name in three spellings, a kind that reads it, and a default.

/** Says what is wrong with a value, for people; becomes "PORT must be …". */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

/** Several problems inside one value, each beginning with its place: `targets.shop.url: …`. */
export class BadValues extends Error {
  override readonly name = 'BadValues';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a value may refer to. */
export interface Surroundings {
  readonly environment: Environment;
  /** Folder of the configuration file; relative paths in the file start there. */
  readonly directory: string;
}

export interface Kind<T> {
  /** Reads a value from a flag or the environment (always text) or from the file. */
  read(raw: unknown, around: Surroundings): T;
  /** For editors of the configuration file. */
  readonly schema: Record<string, unknown>;
  /** As one would write it, for `config show`. */
  write(value: T): string;
  /** The same without what is secret in it; left out where all of it is. */
  mask?(value: T): string;
  /** Whether there is a secret in a value of a setting that may hold one; left out where there always is. */
  holdsSecret?(raw: unknown): boolean;
}

/** Reads a value by itself. */
export interface PlainKind<T> extends Kind<T> {
  read(raw: unknown): T;
}

export interface Setting<T> {
  /** As in the file: `cancellation_window`; `retention.identities` is `identities` inside of `retention`. */
  readonly name: string;
  /** Both null where it can be set in the file only. */
  readonly environment: string | null;
  readonly flag: string | null;
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
    environment: options.environment ?? `UNWRITE_${name.replaceAll('.', '_').toUpperCase()}`,
    flag: `--${name.replaceAll(/[._]/g, '-')}`,
    description,
    kind,
    secret: options.secret ?? false,
    defaultText,
  };
}

export function fileSetting<T>(
  name: string,
  kind: Kind<T>,
  description: string,
  defaultText: string,
): Setting<T> {
  const spellings = { environment: null, flag: null };
  return { name, ...spellings, description, kind, secret: false, defaultText };
}
