// A receiver of events: what it answers changes while a test runs.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventsMessage } from '../../../src/domain/audit/event-ports.ts';

export interface Call {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface EventReceiver {
  readonly url: string;
  readonly calls: Call[];
  /** `answer`: how calls are answered from now on. */
  answerWith(answer: (response: ServerResponse) => void): void;
  /** All events that came, in order, with repeats. */
  events(): EventsMessage['data'];
  /** What a receiver keeps that tells repeats apart by their ids. */
  kept(): string[];
  close(): void;
}

export const answered =
  (status: number) =>
  (response: ServerResponse): void =>
    void response.writeHead(status).end();

export async function startEventReceiver(): Promise<EventReceiver> {
  const calls: Call[] = [];
  let answer = answered(200);
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      calls.push({ headers: request.headers, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const events = () =>
    calls.flatMap(({ body }) => (JSON.parse(body) as EventsMessage).data as EventsMessage['data']);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    calls,
    answerWith(next) {
      answer = next;
    },
    events,
    kept: () => [...new Set(events().map(({ id }) => id))],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
