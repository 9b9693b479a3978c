// A TCP way to a server that can be made to hang: what is said on it then reaches nobody, and nobody
// says that it did not.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultyWay {
  readonly port: number;
  /** New connections are taken and never answered; open ones fall silent. */
  hang(): void;
  /** As if it were not there, from the next connection on. */
  pass(): void;
  close(): Promise<void>;
}

/** Hangs until told to pass. */
export async function startFaultyWay(to: number): Promise<FaultyWay> {
  let isHanging = true;
  const sockets = new Set<Socket>();

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => undefined);
    return socket.once('close', () => sockets.delete(socket));
  }

  const server = createServer((near) => {
    keep(near);
    if (isHanging) return;
    const far = keep(connect({ host: '127.0.0.1', port: to }));
    near.on('data', (bytes) => isHanging || far.write(bytes));
    far.on('data', (bytes) => isHanging || near.write(bytes));
    near.once('close', () => far.destroy());
    far.once('close', () => isHanging || near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hang() {
      isHanging = true;
    },
    pass() {
      isHanging = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
