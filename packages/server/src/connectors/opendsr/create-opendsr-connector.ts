// Forwards requests to another OpenDSR processor, and follows them to their end. The id there is in the intent before it is
// sent, so that one task makes one request, however often it is tried.
import { randomUUID } from 'node:crypto';
import { forwardedBy, MAX_FORWARDED } from '@unwrite/protocol';
import { byName } from '../../domain/by-name.ts';
import {
  type Connector,
  type EraseOrder,
  type Erasure,
  type Failed,
  type Held,
  type Keys,
  type Preview,
  type Subject,
  TargetDown,
  type Verdict,
} from '../../domain/target/connector.ts';
import type { OpendsrTargetConfig } from '../../domain/target/target.ts';
import { type Lookup, lookUp } from '../../outbound/reachable-addresses.ts';
import { eraseByCall } from '../erase-as-previewed.ts';
import { checkProcessor } from './check-processor.ts';
import { createProcessor } from './processor.ts';

/** What is counted. */
const REQUESTS = 'requests';

export interface OpendsrDeps {
  /** Of this processor. */
  readonly domain: string;
  readonly lookup?: Lookup;
}

export function createOpendsrConnector(
  config: OpendsrTargetConfig,
  { domain, lookup = lookUp }: OpendsrDeps,
): Connector {
  const processor = createProcessor(config, lookup);
  const { host } = new URL(config.url);

  const sentOf = ({ identities }: Subject) =>
    config.identities.flatMap((type) =>
      identities.filter((one) => one.type === type).map((identity) => ({ type, identity })),
    );

  async function preview(subjects: readonly Subject[]): Promise<Preview[]> {
    return subjects.map((subject): Preview => {
      if (sentOf(subject).length === 0) return { outcome: 'unmatched' };
      const { called } = subject;
      const keys = byName([[REQUESTS, [[idIn(called?.keys) ?? randomUUID()]]]]);
      const counts = called?.isAnswered === true ? byName<number>() : byName([[REQUESTS, 1]]);
      return { outcome: 'found', counts, retained: byName(), keys, sharedWith: [] };
    });
  }

  async function send(order: EraseOrder): Promise<Erasure> {
    const { submitted, called } = order;
    const id = idIn(order.keys);
    if (submitted === undefined || id === undefined) return NOT_ON_RECORD;
    if (submitted.via.length >= MAX_FORWARDED) return TOO_OFTEN;
    const request = {
      regulation: submitted.regulation,
      subject_request_id: id,
      submitted_time: submitted.time,
      subject_identities: sentOf(order).map(({ type, identity }) => ({
        identity_type: type,
        identity_value: identity.reveal(),
        identity_format: 'raw' as const,
      })),
      api_version: '2.0',
      extensions: forwardedBy([...submitted.via, domain]),
    };
    const failed = await processor.submit(request, called !== undefined);
    return failed ?? { outcome: 'erased', counts: order.counts };
  }

  async function look(order: EraseOrder): Promise<Verdict> {
    const id = idIn(order.keys);
    if (id === undefined) return NOT_ON_RECORD;
    const seen = await processor.status(id);
    switch (seen?.status) {
      case undefined:
        return unknownThere(host);
      case 'cancelled':
        return cancelledThere(host);
      case 'pending':
      case 'in_progress':
        return {
          outcome: 'pending',
          detail: `${host} has it as ${id}: ${seen.status}`,
          againInMs: config.lookAgain,
        };
      case 'completed': {
        const receipt = await processor.receiptDigest(id);
        const statement = {
          processor: seen.domain ?? host,
          subject_request_id: id,
          status: seen.status,
          signed: config.signed !== null,
          ...(receipt !== undefined && { receipt }),
        };
        return { outcome: 'gone', how: 'stated', statement };
      }
    }
  }

  /**
   * A processor takes one request a call, and is not to be flooded. One request may break it: where it still answers for
   * itself, the others go on.
   */
  async function oneByOne<T>(
    orders: readonly EraseOrder[],
    work: (order: EraseOrder) => Promise<T>,
  ): Promise<(T | Failed)[]> {
    const answers: (T | Failed)[] = [];
    for (const order of orders) {
      const answer = await work(order).catch(async (error: unknown): Promise<Failed> => {
        if (!(error instanceof TargetDown) || error.code === 'rate_limited') throw error;
        await processor.discover();
        return { outcome: 'failed', code: error.code, detail: error.message };
      });
      answers.push(answer);
    }
    return answers;
  }

  return {
    check: () => checkProcessor(config, processor, domain),
    preview,
    erase: eraseByCall(preview, (orders) => oneByOne(orders, send)),
    verify: (orders) => oneByOne(orders, look),
    close: async () => undefined,
  };
}

function idIn(keys: Keys | undefined): string | undefined {
  return keys?.[REQUESTS]?.[0]?.[0] ?? undefined;
}

const NOT_ON_RECORD: Failed = {
  outcome: 'failed',
  code: 'not_on_record',
  detail: 'the id of the forwarded request is not on record; it is tried again',
};

const TOO_OFTEN: Failed = {
  outcome: 'failed',
  code: 'forwarded_too_often',
  detail: `${MAX_FORWARDED} processors have forwarded this request already: do they forward it in a circle? Nothing was sent; retain it, or correct the targets`,
  isVoid: true,
};

/** Absence is concluded from no 404: a wrong address gives one too. */
function unknownThere(host: string): Failed {
  return {
    outcome: 'failed',
    code: 'unknown_there',
    detail: `${host} does not know the request that it has taken; is url right? If it has lost the request, submit it there by other means and retain the task`,
  };
}

function cancelledThere(host: string): Held {
  return {
    outcome: 'held',
    reason: 'refused_elsewhere',
    detail: `${host} has cancelled the request; ask why, then release, which sends a new one, or retain`,
    isVoid: true,
  };
}
