// The detail of an audit row. One that somebody else wrote may be anything: it says nothing then, and stops nothing.

export function readDetail({
  detail,
}: {
  readonly detail: string | null;
}): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(detail ?? '{}');
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
