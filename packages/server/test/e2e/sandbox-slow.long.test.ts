// In its own file: a server waits for the batch of a slow person before it stops.
import { expect, it } from 'vitest';
import { makeController } from '../helpers/http/controller.ts';
import { identity } from '../helpers/http/request-body.ts';
import { startServiceIn } from '../helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../helpers/servers/short-intervals.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

it('slow@ of a sandbox delays nobody else, and is completed in the end', async () => {
  const folder = makeTemporaryFolder();
  const flags = { cancellationWindow: '0s', sandbox: 'true' };
  const service = await startServiceIn(folder.path, flags, SHORT_INTERVALS);
  const acme = await makeController(service);
  const submit = (name: string) =>
    acme.created({ subject_identities: [identity('email', `${name}@sandbox.invalid`)] });
  const statusOf = async (id: string) => (await acme.status(id)).body.request_status;
  const completed = (id: string, withinMs: number) =>
    until(
      async () => (await statusOf(id)) === 'completed',
      () => `${id} is not completed`,
      withinMs,
    );
  const slow = await submit('slow');
  await completed(await submit('somebody'), 15_000);
  expect(await statusOf(slow)).toBe('in_progress');
  await completed(slow, 60_000);
  await service.close();
  folder.remove();
}, 90_000);
