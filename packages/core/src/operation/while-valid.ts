import { BifocalError } from "../errors/bifocal-error.ts";
import { onEnd, type Validity } from "./validity.ts";

/** Passes texts on until the credential of their caller ends. A slow client could read for a long time. */
export async function* whileValid(
  caller: Validity,
  texts: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let isOver = false;
  const unwatch = onEnd(caller, () => {
    isOver = true;
  });
  try {
    for await (const text of texts) {
      if (isOver) throw new BifocalError("UNAUTHENTICATED", "The credential has expired or was revoked.");
      yield text;
    }
  } finally {
    unwatch?.();
  }
}
