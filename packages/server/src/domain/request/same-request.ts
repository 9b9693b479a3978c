interface Named {
  readonly controllerId: string | null;
  readonly subjectRequestId: string | null;
}

/** Equal for two keys of the same request: ids are compared without regard to case. */
export function keyText({ controllerId, subjectRequestId }: Named): string {
  return `${controllerId} ${subjectRequestId?.toLowerCase()}`;
}
