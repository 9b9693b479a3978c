// Asks the target that looked identities up, which may be the one that erases.
import { type Connector, type Failed, TargetDown } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';

export interface SourceParts {
  /** Undefined if it is not in the configuration any more. */
  readonly targetNamed: (name: string) => TargetConfig | undefined;
  readonly connectorOf: (target: TargetConfig) => Promise<Connector>;
  readonly release: (connector: Connector) => void;
}

/** The erasing target, and its connector. */
export interface OwnTarget {
  readonly target: TargetConfig;
  readonly connector: Connector;
}

/** `failed`: the target cannot be reached. No answers if the target cannot look up any more. */
export type SourceAnswers<T> =
  | { readonly outcome: 'answered'; readonly answers: readonly T[] }
  | Failed;

export function createAskSource({ targetNamed, connectorOf, release }: SourceParts) {
  return async <T>(
    own: OwnTarget,
    source: string,
    question: (connector: Connector) => Promise<readonly T[]> | undefined,
  ): Promise<SourceAnswers<T>> => {
    const answered = (answers: readonly T[] = []) => ({ outcome: 'answered', answers }) as const;
    if (source === own.target.name) return answered(await question(own.connector));
    const target = targetNamed(source);
    if (target === undefined) return answered();
    let connector: Connector | undefined;
    try {
      connector = await connectorOf(target);
      return answered(await question(connector));
    } catch (error) {
      if (!(error instanceof TargetDown)) throw error;
      const { code, message } = error;
      const detail = `${source} has looked up identities of this request and cannot be asked whether they are still the person's: ${message}`;
      return { outcome: 'failed', code, detail };
    } finally {
      if (connector !== undefined) release(connector);
    }
  };
}
