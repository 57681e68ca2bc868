import type { Issue } from "../../../errors/bifocal-error.ts";
import type { InputForm, Key, ResourceModel } from "../../../model/model.ts";
import { keyToken, lowerInputKey } from "../../../operation/key.ts";

type Path = Issue["path"];

/** A key in an input, and its path. */
export interface NamedKey {
  readonly key: Key;
  readonly path: Path;
}

/** Collects the keys in an input. A key can appear only once, because each row is written once. */
export class NamedKeys {
  readonly issues: Issue[] = [];
  readonly #resource: ResourceModel;
  readonly #form: InputForm;
  readonly #seen = new Map<string, string>();

  constructor(resource: ResourceModel, form: InputForm) {
    this.#resource = resource;
    this.#form = form;
  }

  /** Returns the key of an id in this list, or reports why it is missing. */
  read(id: unknown, path: Path, list: string): NamedKey | undefined {
    const key = lowerInputKey(this.#resource, id, this.#form);
    if (key === undefined) {
      this.issues.push(unknownRow(this.#resource, path));
      return undefined;
    }
    const token = keyToken(key);
    const before = this.#seen.get(token);
    if (before !== undefined) {
      const where = before === list ? "more than once" : `in '${before}' and in '${list}'`;
      this.issues.push({ path, message: `This id appears ${where}. Name each row once.`, code: "duplicate" });
      return undefined;
    }
    this.#seen.set(token, list);
    return { key, path };
  }
}

/** The issue for an id without a row, or of a row that the caller can't see. */
export function unknownRow({ name }: ResourceModel, path: Path): Issue {
  return { path, message: `There is no ${name} with this id.`, code: "unknown_reference" };
}
