// What a target vouches for if it erases: looked-up identities that count now, with the rows that give them, of lookups whose
// rows it may erase.
import type { Identity } from '../../domain/request/identity.ts';
import type { Subject } from '../../domain/target/connector.ts';
import { mayEraseFrom } from '../../domain/target/may-erase.ts';
import type { Vouched } from '../../domain/task/fulfilment-ports.ts';
import { nameOf } from '../open-subjects.ts';
import { createAskSource, type OwnTarget, type SourceParts } from './ask-source.ts';
import { type TaskProof, withoutUnproven } from './proved-task.ts';
import { lookupOf } from './vouched.ts';

interface Asked {
  readonly subject: Subject;
  readonly identities: readonly Identity[];
  readonly trusted: ReadonlyMap<string, number>;
  readonly place: number;
}

/** In the order given: for each task, and its proof where it has looked-up identities. */
export function createVouch(parts: SourceParts) {
  const ask = createAskSource(parts);

  return async (
    own: OwnTarget,
    tasks: readonly { readonly subject: Subject; readonly proof: TaskProof | undefined }[],
  ): Promise<Vouched[][]> => {
    const vouched = tasks.map((): Vouched[] => []);
    const sources = new Set(tasks.flatMap(({ proof }) => [...(proof?.proven.keys() ?? [])]));
    for (const source of sources) {
      const looksUp = source === own.target.name ? own.target : parts.targetNamed(source);
      const lookup = lookupOf(looksUp);
      if (looksUp === undefined || lookup === undefined || !('resolve' in looksUp)) continue;
      if (looksUp.resolve === null || !mayEraseFrom(own.target, looksUp.resolve.table)) continue;
      const asked = tasks.flatMap(({ subject, proof }, place): Asked[] => {
        const identities = proof?.proven.get(source) ?? [];
        const isStopped = proof?.stopped !== undefined || identities.length === 0;
        return isStopped ? [] : [{ subject, identities, trusted: proof?.trusted ?? NONE, place }];
      });
      const subjects = asked.map(({ subject }) => withoutUnproven(subject));
      if (subjects.length === 0) continue;
      const listed = await ask(own, source, (connector) => connector.listed?.(subjects));
      // Where it cannot be asked, nothing is vouched for.
      if (listed.outcome === 'failed') continue;
      asked.forEach(({ identities, trusted, place }, index) => {
        for (const name of identities.map(nameOf)) {
          const rows = listed.answers[index]?.filter(({ names }) => names.includes(name)) ?? [];
          const gave = rows.map(({ key }) => key);
          const upToTaskNo = trusted.get(name);
          if (gave.length === 0 && upToTaskNo === undefined) continue;
          const upTo = upToTaskNo !== undefined && { upToTaskNo };
          vouched[place]?.push({ source, name, lookup, gave, ...upTo });
        }
      });
    }
    return vouched;
  };
}

const NONE: ReadonlyMap<string, number> = new Map();
