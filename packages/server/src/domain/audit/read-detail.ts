// Reads the detail of an audit row. If somebody else wrote it, it may be anything: then it is ignored.
import { objectFromJson } from '../stored-json.ts';

export function readDetail({
  detail,
}: {
  readonly detail: string | null;
}): Readonly<Record<string, unknown>> {
  return objectFromJson(detail ?? '{}') ?? {};
}
