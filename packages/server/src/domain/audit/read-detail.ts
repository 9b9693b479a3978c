// The detail of an audit row. One that somebody else wrote may be anything: it says nothing then, and stops nothing.
import { objectFromJson } from '../stored-json.ts';

export function readDetail({
  detail,
}: {
  readonly detail: string | null;
}): Readonly<Record<string, unknown>> {
  return objectFromJson(detail ?? '{}') ?? {};
}
