// Entry of the process that runs an operator's module. Anything that the module does to its process (ends it, throws
// an uncaught error, loops, fills its memory) affects only this process.
import { Socket } from 'node:net';
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { entryBeside } from '../../files/own-files.ts';
import { killGroup } from './kill-group.ts';
import { loadModule } from './load-module.ts';
import {
  CHANNEL_FD,
  MAX_ANSWER_BYTES,
  readFrames,
  writeAnswer,
  writeFrame,
} from './module-channel.ts';
import { Faulty, faultOf } from './module-fault.ts';
import { type ModuleAnswer, type ModuleCall, READY } from './module-messages.ts';
import type { ModuleConnector } from './module-types.ts';
import { receiveSubjects } from './send-subjects.ts';

const watchdog = new Worker(entryBeside(import.meta.url, 'module-watchdog'), {
  workerData: Number(process.argv[2]),
});
watchdog.unref();
const channel = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
const say = (answer: ModuleAnswer) => writeFrame(channel, writeAnswer(answer));
/** Bytes for the lines before the JSON of an answer. */
const ROOM_FOR_ID = 1024;
let connector: ModuleConnector | undefined;

async function run(message: ModuleCall): Promise<unknown> {
  if (message.call === 'create') {
    connector = await loadModule(message.file, message.options);
    return undefined;
  }
  const { call, subjects } = message;
  const loaded = connector;
  if (loaded === undefined) throw new Faulty({ kind: 'no_default' });
  return faultOf('threw', async () =>
    call === 'check' || call === 'close'
      ? loaded[call]()
      : loaded[call](receiveSubjects(subjects) as never),
  );
}

/** An entry that cannot be serialised has the wrong shape; the others count. */
function write(answer: unknown): string | undefined {
  if (!Array.isArray(answer)) return writeOne(answer);
  return `[${answer.map((entry) => writeOne(entry) ?? 'null').join()}]`;
}

function writeOne(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, refuseNothings);
  } catch {
    return undefined;
  }
}

/** JSON would turn them into null, which is a valid value of a key. */
function refuseNothings(this: unknown, _: string, value: unknown): unknown {
  const isNothing = value === undefined || Number.isNaN(value);
  return isNothing && Array.isArray(this) ? false : value;
}

async function answer(message: ModuleCall): Promise<ModuleAnswer> {
  const { id } = message;
  try {
    const json = write(await run(message));
    if (json === undefined) return { id };
    const isTooLarge = Buffer.byteLength(json) > MAX_ANSWER_BYTES - ROOM_FOR_ID;
    return isTooLarge ? { id, fault: { kind: 'too_large' } } : { id, json };
  } catch (error) {
    const fault = error instanceof Faulty ? error.fault : undefined;
    return { id, fault: fault ?? { kind: 'threw', thrown: 'unknown' } };
  }
}

function take(bytes: Buffer): void {
  const message = deserialize(bytes) as ModuleCall;
  watchdog.postMessage(message.limit);
  void answer(message).then((said) => {
    watchdog.postMessage(null);
    say(said);
  });
}

// Unwrite is gone, or no longer needs it: the module must not continue work that another worker may be
// doing by now.
const end = () => killGroup(process.pid);
channel.on('error', end).on('close', end);
readFrames(channel, Number.POSITIVE_INFINITY, take, end);
// Modules may call it; there is no listener.
process.send = () => true;
say({ id: READY });
