import type { Command } from 'commander';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

export function addTokenCommand(program: Command): void {
  const command = program
    .command('token <client_id>')
    .description(
      'Print an access token for a client; needs no secret, and is recorded in the audit log',
    );
  withActor(withJson(withSettings(command))).action(
    (clientId: string, { json }: { json?: boolean }) =>
      withInstallation(command, async ({ store, signingKeys }, config) => {
        const client = await store.tenants.client(clientId);
        if (client === undefined) throw new CommandFailure(`there is no client ${clientId}`);
        if (client.revokedTime !== null) throw new CommandFailure(`client ${clientId} is revoked`);
        const { createTokens } = await import('../../app/api.ts');
        const { accessToken, expiresIn } = await createTokens(
          config,
          signingKeys,
          store.clock,
        ).issue({
          clientId,
          controllerId: client.controllerId,
          secretId: null,
        });
        await store.tenantWriter.recordToken(client, store.clock(), actorOf(command));
        if (json)
          printJson({ access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn });
        else printLines(accessToken);
      }),
  );
}
