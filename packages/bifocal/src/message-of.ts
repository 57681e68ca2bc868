/** The error message followed by its causes, which API callers never see. */
export function messageOf(thrown: unknown): string {
  const parts: string[] = [];
  for (let one: unknown = thrown; one !== undefined && parts.length < 5; one = causeOf(one)) {
    const text = one instanceof AggregateError && one.message === "" ? one.errors.map(own).join("; ") : own(one);
    if (!parts.some((part) => part.includes(text))) parts.push(text);
  }
  return parts.join("\n  caused by: ");
}

function own(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.message === "" ? thrown.name : thrown.message;
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.cause : undefined;
}
