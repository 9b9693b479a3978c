// A way to a database server that lets sessions begin, and then answers their first look at a table by a message
// without end.
import { connect, createServer, type Socket } from 'node:net';

export interface EndlessAnswer {
  readonly address: string;
  sentBytes(): number;
  close(): void;
}

const PIECE = Buffer.alloc(0xffffff + 4, 0x78);
const LOOKS_AT_TABLES = /from\s+(?:information_schema|pg_|people)/i;

export async function answerWithoutEnd(connector: string, address: string): Promise<EndlessAnswer> {
  const real = new URL(address);
  const sockets: Socket[] = [];
  let sent = 0;

  function pour(socket: Socket): void {
    // PostgreSQL: a notice that announces 2 GB. MySQL: packets of the greatest size, which continue each other.
    if (connector === 'postgres') socket.write(Buffer.from([0x4e, 0x77, 0x35, 0x94, 0]));
    let sequence = 1;
    const more = () => {
      while (!socket.destroyed) {
        const piece = Buffer.from(PIECE);
        if (connector === 'mysql') piece.set([0xff, 0xff, 0xff, sequence++ & 0xff]);
        sent += piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('drain', more);
    more();
  }

  const server = createServer((socket) => {
    const onward = connect(Number(real.port), real.hostname);
    sockets.push(socket, onward);
    let isPouring = false;
    for (const each of [socket, onward]) each.on('error', () => undefined);
    socket.on('data', (data) => {
      if (isPouring) return;
      isPouring = LOOKS_AT_TABLES.test(data.toString('latin1'));
      if (isPouring) pour(socket);
      else onward.write(data);
    });
    onward.on('data', (data) => !isPouring && socket.write(data));
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(address);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as { port: number }).port);
  return {
    address: through.href,
    sentBytes: () => sent,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
