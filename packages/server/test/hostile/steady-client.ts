// A well-behaved client as a process of its own, so that what it measures is the server and not the attack beside
// it: status reads and creates at a steady rate. Times are those of reads: a create waits for the disk, which others
// use too. Told by messages when to start measuring anew.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { requestBody } from '../../../protocol/test/helpers/request-body.ts';
import type { SteadyMeasure, SteadyOrder } from './run-steady-client.ts';

const READ_EVERY_MS = 15;
const CREATE_EVERY_MS = 40;
const MAX_FAILURES = 20;
/** It waits for its answers: on a machine that is too busy it asks less often. */
const MAX_OPEN = 4;
const TIMEOUT_MS = 20_000;

const [, , url = '', token = ''] = process.argv;
const { hostname, port } = new URL(url);
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
let times: number[] = [];
let failures: string[] = [];
const open = { GET: 0, POST: 0 };

/** The status; a connection that the server closes before it was used again is not its fault: once more. */
function send(method: string, path: string, body = '', isAgain = false): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== '' && { 'content-type': 'application/json', 'content-length': body.length }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers, agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error('no answer in 20 s')));
    outgoing.once('error', (error) => {
      if (outgoing.reusedSocket && !isAgain) resolve(send(method, path, body, true));
      else reject(error);
    });
    outgoing.end(body);
  });
}

async function measure(expected: number, method: 'GET' | 'POST', path: string, body?: string) {
  if (open[method] >= MAX_OPEN) return;
  open[method]++;
  const started = performance.now();
  const status = await send(method, path, body).catch((error: Error) => error.message);
  open[method]--;
  if (method === 'GET') times.push(performance.now() - started);
  if (status !== expected && failures.length < MAX_FAILURES) failures.push(`${method}: ${status}`);
}

const body = JSON.stringify(requestBody());
await send('POST', '/requests', body);
const { subject_request_id: id } = JSON.parse(body);
setInterval(() => void measure(200, 'GET', `/requests/${id}`), READ_EVERY_MS);
setInterval(() => {
  const fresh = JSON.stringify(requestBody({ subject_request_id: randomUUID() }));
  void measure(201, 'POST', '/requests', fresh);
}, CREATE_EVERY_MS);

process.on('message', (order: SteadyOrder) => {
  if (order === 'measure') {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    const measured: SteadyMeasure = {
      count: sorted.length,
      p50: at(0.5),
      p99: at(0.99),
      worst: at(0.9999),
      failures,
    };
    process.send?.(measured);
  }
  times = [];
  failures = [];
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
