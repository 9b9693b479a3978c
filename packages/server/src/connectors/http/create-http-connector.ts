// A target behind an HTTP endpoint that the operator wrote; docs/targets-http.md documents the calls.
import type {
  Connector,
  EraseOrder,
  Failed,
  Preview,
  Subject,
} from '../../domain/target/connector.ts';
import type { HttpTargetConfig } from '../../domain/target/target.ts';
import { eraseByCall } from '../erase-as-previewed.ts';
import { type Action, callBody } from './call-body.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { createEndpoint, type EndpointDeps } from './endpoint.ts';
import { erasureOf, previewOf, verdictOf } from './outcomes.ts';
import { type Entry, isFailed, readAnswer } from './read-answer.ts';

export function createHttpConnector(config: HttpTargetConfig, deps: EndpointDeps = {}): Connector {
  const { host } = new URL(config.url);
  const endpoint = createEndpoint(config, deps);

  /** Makes no call if there are no subjects. */
  async function ask<S extends Subject, T>(
    action: Action,
    subjects: readonly S[],
    outcomeOf: (entry: Entry, subject: S) => T,
  ): Promise<(T | Failed)[]> {
    if (subjects.length === 0) return [];
    const answer = await endpoint.post(callBody(action, subjects));
    const entries = readAnswer(answer, subjects, host);
    return subjects.map((subject, index) => {
      const entry = entries[index] ?? {};
      return isFailed(entry) ? entry : outcomeOf(entry, subject);
    });
  }

  async function preview(subjects: readonly Subject[]): Promise<Preview[]> {
    const named = subjects.filter(({ identities }) => identities.length > 0);
    const answers = (await ask('preview', named, previewOf)).values();
    return subjects.map(
      ({ identities }): Preview =>
        (identities.length > 0 && answers.next().value) || { outcome: 'unmatched' },
    );
  }

  return {
    check: () => checkEndpoint(config, endpoint),
    preview,
    erase: eraseByCall(preview, (orders) => ask('erase', orders, erasureOf)),

    verify: async (orders: readonly EraseOrder[]) =>
      config.verify === 'none'
        ? orders.map(() => ({ outcome: 'gone', how: 'reported' }) as const)
        : ask('verify', orders, verdictOf),

    close: async () => endpoint.close(),
  };
}
