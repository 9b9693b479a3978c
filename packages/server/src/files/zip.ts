// Writes a ZIP archive of any size in constant memory: what is only known at the end is in spools until then. Entries
// have their sizes before them, so that every reader can stream it; beyond 65,535 entries or 4 GB it is ZIP64.
import { createHash } from 'node:crypto';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { openSpool, type Spool } from './spool.ts';

export interface GrowingEntry {
  write(text: string): Promise<void>;
  /** Adds it to the archive; returns its SHA-256. */
  end(): Promise<string>;
}

export interface Zip {
  /** Returns its SHA-256. */
  add(name: string, text: string): Promise<string>;
  /** An entry that grows while others are added. */
  grow(name: string): Promise<GrowingEntry>;
  end(): Promise<void>;
  /** Also after a failure. */
  close(): Promise<void>;
}

interface Entry {
  readonly name: string;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
}

const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
const DEFLATE = 8;
const UTF8 = 0x0800;
const VERSION = 45;
/** The directory and the entries that grow are gathered to this size before they are packed. */
const GATHER = 65_536;

export async function createZip(
  folder: string,
  now: number,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<Zip> {
  const directory = await openSpool(folder);
  const spools = [directory];
  const stamp = stampOf(now);
  let offset = 0;
  let entries = 0;

  async function put(bytes: Uint8Array): Promise<void> {
    offset += bytes.length;
    await write(bytes);
  }

  async function putEntry(entry: Entry, packed: AsyncIterable<Uint8Array> | Uint8Array[]) {
    if (Math.max(entry.size, entry.packedSize) >= MAX_32)
      throw new Error(`${entry.name} is larger than 4 GB; choose a shorter time`);
    const name = Buffer.from(entry.name);
    await directory.append(directoryRecord(entry, name, stamp, offset));
    entries++;
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    writeCommon(header, 4, entry, name, stamp);
    await put(Buffer.concat([header, name]));
    for await (const bytes of packed) await put(bytes);
  }

  return {
    async add(name, text) {
      const bytes = Buffer.from(text);
      const packed = deflateRawSync(bytes);
      const sizes = { size: bytes.length, packedSize: packed.length };
      await putEntry({ name, crc: crc32(bytes), ...sizes }, [packed]);
      return createHash('sha256').update(bytes).digest('hex');
    },
    async grow(name) {
      const spool = await openSpool(folder);
      spools.push(spool);
      return growing(spool, (entry) => putEntry({ name, ...entry }, spool.chunks()));
    },
    async end() {
      const start = offset;
      for await (const bytes of directory.chunks()) await put(bytes);
      await put(endRecords(entries, start, offset));
    },
    async close() {
      await Promise.all(spools.map((spool) => spool.close()));
    },
  };
}

function growing(spool: Spool, put: (entry: Omit<Entry, 'name'>) => Promise<void>): GrowingEntry {
  const deflate = createDeflateRaw();
  const packed: Uint8Array[] = [];
  deflate.on('data', (bytes: Uint8Array) => packed.push(bytes));
  const hash = createHash('sha256');
  let crc = 0;
  let size = 0;
  let gathered = '';

  async function pack(): Promise<void> {
    const bytes = Buffer.from(gathered);
    gathered = '';
    hash.update(bytes);
    crc = crc32(bytes, crc);
    size += bytes.length;
    await new Promise<void>((resolve, reject) =>
      deflate.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
    await spoolPacked();
  }

  async function spoolPacked(): Promise<void> {
    for (const bytes of packed.splice(0)) await spool.append(bytes);
  }

  return {
    async write(text) {
      gathered += text;
      if (gathered.length >= GATHER) await pack();
    },
    async end() {
      await pack();
      const ended = new Promise((resolve) => deflate.once('end', resolve));
      deflate.end();
      await ended;
      await spoolPacked();
      await put({ crc, size, packedSize: spool.size });
      return hash.digest('hex');
    },
  };
}

/** What the header of an entry and its record in the directory have alike, from the version on: 26 bytes. */
function writeCommon(to: Buffer, at: number, entry: Entry, name: Buffer, stamp: number): void {
  to.writeUInt16LE(VERSION, at);
  to.writeUInt16LE(UTF8, at + 2);
  to.writeUInt16LE(DEFLATE, at + 4);
  to.writeUInt32LE(stamp, at + 6);
  to.writeUInt32LE(entry.crc, at + 10);
  to.writeUInt32LE(entry.packedSize, at + 14);
  to.writeUInt32LE(entry.size, at + 18);
  to.writeUInt16LE(name.length, at + 22);
}

function directoryRecord(entry: Entry, name: Buffer, stamp: number, offset: number): Buffer {
  const isFar = offset >= MAX_32;
  const extra = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(offset), 4);
  }
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  // Made on Unix, so that the mode below is read: a file that everybody may read.
  record.writeUInt16LE((3 << 8) | VERSION, 4);
  writeCommon(record, 6, entry, name, stamp);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  record.writeUInt32LE(isFar ? MAX_32 : offset, 42);
  return Buffer.concat([record, name, extra]);
}

function endRecords(entries: number, start: number, end: number): Buffer {
  const size = end - start;
  const isLarge = entries >= MAX_16 || start >= MAX_32 || size >= MAX_32;
  const large = Buffer.alloc(isLarge ? 76 : 0);
  if (isLarge) {
    large.writeUInt32LE(0x06064b50, 0);
    large.writeBigUInt64LE(44n, 4);
    large.writeUInt16LE(VERSION, 12);
    large.writeUInt16LE(VERSION, 14);
    large.writeBigUInt64LE(BigInt(entries), 24);
    large.writeBigUInt64LE(BigInt(entries), 32);
    large.writeBigUInt64LE(BigInt(size), 40);
    large.writeBigUInt64LE(BigInt(start), 48);
    large.writeUInt32LE(0x07064b50, 56);
    large.writeBigUInt64LE(BigInt(end), 64);
    large.writeUInt32LE(1, 72);
  }
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(Math.min(entries, MAX_16), 8);
  record.writeUInt16LE(Math.min(entries, MAX_16), 10);
  record.writeUInt32LE(Math.min(size, MAX_32), 12);
  record.writeUInt32LE(Math.min(start, MAX_32), 16);
  return Buffer.concat([large, record]);
}

/** Time and date as MS-DOS had them, in UTC. */
function stampOf(now: number): number {
  const date = new Date(now);
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}
