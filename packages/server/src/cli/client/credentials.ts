// What a controller needs to use the API: printed once, when a client is made.
import type { Config } from '../../config/config.ts';

export interface ClientCredentials {
  readonly controller_id: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly audience: string;
  readonly token_url: string;
  readonly base_url: string;
}

export function clientCredentials(
  config: Config,
  controllerId: string,
  clientId: string,
  secret: string,
): ClientCredentials {
  return {
    controller_id: controllerId,
    client_id: clientId,
    client_secret: secret,
    audience: config.audience,
    token_url: `${config.publicUrl}/oauth/token`,
    base_url: config.publicUrl,
  };
}
