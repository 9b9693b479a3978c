// Before a target erases by identities that another target has looked up, that one is asked whether they are still the
// person's: rows may have been given to somebody else since the request started.
import {
  type Connector,
  type Failed,
  type Held,
  TargetDown,
} from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { lookedUpBy, type OpenedTask, type OpenIdentities } from '../open-subjects.ts';

export interface LookupParts {
  /** Undefined: it is not in the configuration any more. */
  readonly targetNamed: (name: string) => TargetConfig | undefined;
  readonly connectorOf: (target: TargetConfig) => Promise<Connector>;
  readonly release: (connector: Connector) => void;
  readonly openIdentities: OpenIdentities;
}

/** By the number of the task: why it cannot go on. */
export type Doubted = Map<number, Held | Failed>;

export function createDoubtLookedUp(parts: LookupParts) {
  const { targetNamed, connectorOf, release, openIdentities } = parts;

  async function ask(
    name: string,
    opened: readonly OpenedTask[],
  ): Promise<(Held | Failed | undefined)[]> {
    const target = targetNamed(name);
    if (target === undefined) return [];
    let connector: Connector | undefined;
    try {
      connector = await connectorOf(target);
      const subjects = opened.map(({ subject }) => subject);
      return (await connector.doubt?.(subjects)) ?? [];
    } catch (error) {
      if (!(error instanceof TargetDown)) throw error;
      const { code, message } = error;
      const detail = `${name} has looked up identities of this request and cannot be asked whether they are still the person's: ${message}`;
      return opened.map(() => ({ outcome: 'failed', code, detail }));
    } finally {
      if (connector !== undefined) release(connector);
    }
  }

  return async (own: string, opened: readonly OpenedTask[]): Promise<Doubted> => {
    const doubted: Doubted = new Map();
    const sources = new Set(
      opened.flatMap(({ task }) => task.identities.flatMap(({ source }) => source ?? [])),
    );
    sources.delete(own);
    for (const source of sources) {
      const theirs = opened.flatMap(({ task, subject }) => {
        const lookedUp = lookedUpBy(source, task, subject.identities, openIdentities) ?? [];
        return lookedUp.length === 0 ? [] : [{ task, subject: { ...subject, lookedUp } }];
      });
      if (theirs.length === 0) continue;
      const answers = await ask(source, theirs);
      theirs.forEach(({ task }, place) => {
        const answer = answers[place];
        if (answer !== undefined) doubted.set(task.taskNo, answer);
      });
    }
    return doubted;
  };
}
