import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpendsrConnector } from '../../../src/connectors/opendsr/create-opendsr-connector.ts';
import type { OpendsrTargetConfig } from '../../../src/domain/target/target.ts';
import { type OtherProcessor, opendsrTarget, startOtherProcessor } from './other-processor.ts';

let other: OtherProcessor;
beforeEach(async () => {
  other = await startOtherProcessor();
});
afterEach(() => other.close());

async function problemsOf(changes: Partial<OpendsrTargetConfig> = {}) {
  const target = opendsrTarget(other.url, changes);
  const lines = await createOpendsrConnector(target, { domain: 'us.example' }).check();
  return lines.flatMap(({ level, message }) => (level === 'problem' ? [message] : []));
}

describe('checking another processor', () => {
  it('finds nothing wrong with one that takes what is sent', async () => {
    expect(await problemsOf()).toEqual([]);
  });

  it('finds types of identities that it does not take', async () => {
    expect(await problemsOf({ identities: ['email', 'controller_customer_id'] })).toEqual([
      expect.stringMatching(/does not take the identity type controller_customer_id/),
    ]);
  });

  it('finds that it is this one', async () => {
    other.headers = () => ({ 'x-opendsr-processor-domain': 'us.example' });
    expect(await problemsOf()).toEqual([expect.stringMatching(/which is this processor/)]);
  });

  it('finds addresses that may not be called', async () => {
    expect(await problemsOf({ allowPrivate: false })).toEqual([
      expect.stringMatching(/not a public address.* allow_private/),
    ]);
  });

  it('finds an address at which nothing of it is', async () => {
    expect(await problemsOf({ url: `${other.url}/v9` })).toEqual([
      expect.stringMatching(/answered 404; correct url/),
    ]);
  });
});
