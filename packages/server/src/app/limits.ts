// Applies the limits of the settings to the server, before its other listeners.
import type { Server } from 'node:http';
import type { Config } from '../config/config.ts';
import { limitConnections } from '../http/limits/limit-connections.ts';
import { limitRequests } from '../http/limits/limit-requests.ts';
import { affordableConnections } from '../http/limits/open-files.ts';
import { createIsProxy } from '../http/limits/proxies.ts';
import type { Log } from '../telemetry/log.ts';

/** Call this after all other listeners are registered: they do not see what is refused here. */
export function limitServer(server: Server, config: Config, log: Log): void {
  const connections = affordableConnections(config.limitsConnections);
  if (connections < config.limitsConnections) {
    log.warn(
      { wanted: config.limitsConnections, connections },
      'the open-file limit of this process is lower than limits.connections needs; raise it (ulimit -n, LimitNOFILE), or lower the setting',
    );
  }
  const limits = {
    connections,
    perAddress: config.limitsConnectionsPerAddress,
    requestsPerConnection: config.limitsRequestsPerConnection,
    pipelined: config.limitsPipelined,
    answerTimeoutMs: config.limitsAnswerTimeout * 1000,
  };
  limitRequests(server, limits);
  limitConnections(server, limits, createIsProxy(config.trustProxy), {
    refused: ({ tooMany, tooManyOfAddress, answersNotRead }) =>
      log.warn(
        {
          too_many: tooMany,
          too_many_of_an_address: tooManyOfAddress,
          answers_not_read: answersNotRead,
        },
        'connections were closed because a limit was reached (limits.connections, limits.connections_per_address, limits.answer_timeout)',
      ),
  });
}
