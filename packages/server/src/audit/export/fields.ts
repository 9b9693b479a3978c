// Reads members of a line that someone else may have written.

export class NotAnExport extends Error {
  override readonly name = 'NotAnExport';
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(line: string, number: number): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Fields;
  } catch {
    // The error is thrown below.
  }
  throw new NotAnExport(`line ${number} is not a JSON object`);
}

export function wholeNumberIn(fields: Fields, name: string): number {
  const value = fields[name];
  if (!Number.isSafeInteger(value)) throw new NotAnExport(`${name} must be a whole number`);
  return value as number;
}

export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new NotAnExport(`${name} must be a string`);
  return value;
}

export function textOrNull(fields: Fields, name: string): string | null {
  return fields[name] === null ? null : textIn(fields, name);
}

export const bytesIn = (fields: Fields, name: string): Buffer =>
  Buffer.from(textIn(fields, name), 'hex');
