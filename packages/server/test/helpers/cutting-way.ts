// A TCP way to PostgreSQL that can be cut at the worst moment: the server has done what it was told, and
// its answer is lost.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingWay {
  /** Of the same database, through here. */
  readonly url: string;
  /**
   * The next connection on which statements with these texts are sent, in this order, is cut: the last of
   * them is done and never answered.
   */
  cutAnswerOf(...texts: string[]): void;
  /** How often it was. */
  cuts(): number;
  /** What is said reaches nobody, and nobody says that it did not. */
  fallSilent(): void;
  /** Those who were silent are cut; all is as it was. */
  speakAgain(): void;
  close(): Promise<void>;
}

/** The server waits for the next statement: the one before is done, and committed where it was alone. */
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function startCuttingWay(url: string): Promise<CuttingWay> {
  const to = new URL(url);
  const sockets = new Set<Socket>();
  let wanted: readonly string[] = [];
  let cuts = 0;
  let isSilent = false;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => undefined);
    return socket.once('close', () => sockets.delete(socket));
  }

  const server = createServer((near) => {
    keep(near);
    const far = keep(connect({ host: to.hostname, port: Number(to.port) }));
    /** Still to come on this connection; undefined: nothing is awaited on it. */
    let awaited: readonly string[] | undefined;
    let isLosing = false;
    near.on('data', (bytes: Buffer) => {
      const texts = awaited ?? wanted;
      if (texts[0] !== undefined && bytes.includes(texts[0])) {
        awaited = texts.slice(1);
        wanted = [];
        isLosing = awaited.length === 0;
      }
      if (!isSilent) far.write(bytes);
    });
    far.on('data', (bytes: Buffer) => {
      if (isSilent) return;
      if (!isLosing) near.write(bytes);
      else if (bytes.includes(READY_FOR_QUERY)) {
        cuts++;
        near.destroy();
      }
    });
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    cutAnswerOf(...texts) {
      wanted = texts;
    },
    cuts: () => cuts,
    fallSilent() {
      isSilent = true;
    },
    speakAgain() {
      isSilent = false;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
