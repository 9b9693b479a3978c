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
export interface ReadContext {
  readonly environment: Environment;
  /** Folder of the configuration file; relative paths in the file start there. */
  readonly directory: string;
}

export interface Kind<T> {
  /** Reads a value from a flag or the environment (always text) or from the file. */
  read(raw: unknown, around: ReadContext): T;
  /** JSON schema, for editors of the configuration file. */
  readonly schema: Record<string, unknown>;
  /** The value as it would be written, for `config show`. */
  write(value: T): string;
  /** The same without its secret parts; left out if all of it is secret. */
  mask?(value: T): string;
  /** Whether a value of a secret setting contains a secret; left out if it always does. */
  holdsSecret?(raw: unknown): boolean;
}

/** A kind that needs only the value itself. */
export interface PlainKind<T> extends Kind<T> {
  read(raw: unknown): T;
}

export interface Setting<T> {
  /** Name in the file: `cancellation_window`; `retention.identities` is `identities` inside `retention`. */
  readonly name: string;
  /** Both are null if it can only be set in the file. */
  readonly environment: string | null;
  readonly flag: string | null;
  readonly description: string;
  readonly kind: Kind<T>;
  readonly secret: boolean;
  /** Shown in help and docs if the default depends on other settings. */
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
