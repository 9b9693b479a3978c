// CSV as in RFC 4180, one record at a time. Nothing is repaired: a cell that is read otherwise than it was meant would name
// another person.

export interface CsvRecord {
  /** Where it begins; the first line is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The message names the line, and never a cell. */
export class UnreadableInput extends Error {
  override readonly name = 'UnreadableInput';
}

const DELIMITERS = [',', ';', '\t'];
/** A quote that is never closed would otherwise take in the whole file. */
export const MAX_RECORD = 1_000_000;

/** `delimiter` undefined: the one that the first line has most of. */
export async function* readCsv(
  text: AsyncIterable<string>,
  delimiter: string | undefined,
): AsyncGenerator<CsvRecord> {
  const parser = createParser(delimiter);
  for await (const chunk of text) yield* parser.add(chunk);
  yield* parser.end();
}

function createParser(given: string | undefined) {
  let delimiter = given;
  let waiting = '';
  let line = 1;
  let start = 1;
  let cells: string[] = [];
  let cell = '';
  let size = 0;
  /** `closed`: after the quote that may end a cell. */
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';

  function take(character: string): CsvRecord | undefined {
    if (++size > MAX_RECORD) {
      throw new UnreadableInput(`line ${start}: the record is too long, or a quote is not closed`);
    }
    if (character === '\n') line++;
    if (state === 'quoted') {
      if (character === '"') state = 'closed';
      else cell += character;
    } else if (character === '"') {
      if (state === 'plain') throw new UnreadableInput(`line ${line}: a quote within a cell`);
      if (state === 'closed') cell += '"';
      state = 'quoted';
    } else if (character === delimiter) endCell();
    else if (character === '\n') return endRecord();
    else if (state === 'closed') {
      // Of CR LF, or nothing that may be here.
      if (character !== '\r') throw new UnreadableInput(`line ${line}: text after a closing quote`);
    } else {
      state = 'plain';
      cell += character;
    }
    return undefined;
  }

  function endCell(): void {
    cells.push(cell);
    cell = '';
    state = 'start';
  }

  function endRecord(): CsvRecord | undefined {
    if (state === 'plain' && cell.endsWith('\r')) cell = cell.slice(0, -1);
    const isBlank = cells.length === 0 && cell === '' && state !== 'closed';
    endCell();
    const record = { line: start, cells };
    cells = [];
    size = 0;
    start = line;
    // An empty line is no person.
    return isBlank ? undefined : record;
  }

  function* takeAll(text: string): Generator<CsvRecord> {
    for (const character of text) {
      const record = take(character);
      if (record !== undefined) yield record;
    }
  }

  return {
    *add(chunk: string): Generator<CsvRecord> {
      if (delimiter !== undefined) {
        yield* takeAll(chunk);
        return;
      }
      waiting += chunk;
      if (!waiting.includes('\n') && waiting.length < MAX_RECORD) return;
      delimiter = guessDelimiter(waiting);
      yield* takeAll(waiting);
    },
    *end(): Generator<CsvRecord> {
      if (delimiter === undefined) {
        delimiter = guessDelimiter(waiting);
        yield* takeAll(waiting);
      }
      if (state === 'quoted') throw new UnreadableInput(`line ${start}: a quote is not closed`);
      const last = state !== 'start' || cells.length > 0 ? endRecord() : undefined;
      if (last !== undefined) yield last;
    },
  };
}

function guessDelimiter(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const outside = first.replaceAll(/"[^"]*"/g, '');
  const count = (it: string) => outside.split(it).length;
  return DELIMITERS.reduce((best, it) => (count(it) > count(best) ? it : best));
}
