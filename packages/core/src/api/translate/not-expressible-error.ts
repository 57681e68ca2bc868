/** A style has no request for an operation. The message says why. */
export class NotExpressibleError extends Error {
  override readonly name = "NotExpressibleError";
}

export function notExpressible(reason: string): never {
  throw new NotExpressibleError(reason);
}
