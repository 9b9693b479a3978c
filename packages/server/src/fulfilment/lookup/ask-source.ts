// Asks the target that has looked identities up: another one than the one that erases, or the same.
import { type Connector, type Failed, TargetDown } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';

export interface SourceParts {
  /** Undefined: it is not in the configuration any more. */
  readonly targetNamed: (name: string) => TargetConfig | undefined;
  readonly connectorOf: (target: TargetConfig) => Promise<Connector>;
  readonly release: (connector: Connector) => void;
}

/** The target that erases, and the connector to it. */
export interface OwnTarget {
  readonly target: TargetConfig;
  readonly connector: Connector;
}

/** `failed`: it cannot be reached. No answers where the target cannot be asked any more. */
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
