import { DefinitionError } from "../../errors/definition-error.ts";
import type { AuthHost } from "../authenticator.ts";
import type { KeyStore, StoredKey } from "./key-store.ts";

const FIELDS: readonly (keyof StoredKey)[] = [
  ...(["id", "name", "principalId", "roles", "scopes", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"] as const),
  ...(["previousUntil", "secretHash", "previousHash"] as const),
];
const HASHES = ["secretHash", "previousHash"] as const;

/**
 * Stores keys in a resource of the API, which is set by `open`. Throws a `DefinitionError` if the resource lacks the
 * required fields.
 */
export class ResourceKeyStore implements KeyStore {
  readonly #resource: string;
  #rows: ReturnType<AuthHost["rowsOf"]> | undefined;

  constructor(resource: string) {
    this.#resource = resource;
  }

  open({ model, rowsOf }: AuthHost): void {
    const name = this.#resource;
    const fields = model.resources.get(name)?.fields;
    const fix = "Create it with apiKeyResource().";
    if (fields === undefined) {
      throw new DefinitionError([{ at: "auth", problem: `The resource '${name}' for API keys doesn't exist.`, fix }]);
    }
    const mistakes = [
      ...FIELDS.filter((field) => !fields.has(field)).map(
        (field) => `A resource that stores API keys needs the field '${field}'.`,
      ),
      ...HASHES.filter((field) => fields.get(field)?.internal === false).map((field) => `'${field}' must be internal.`),
    ];
    if (mistakes.length > 0) throw new DefinitionError(mistakes.map((problem) => ({ at: name, problem, fix })));
    this.#rows = rowsOf(name);
  }

  async get(id: string): Promise<StoredKey | undefined> {
    return ((await this.#opened().get(id)) ?? undefined) as StoredKey | undefined;
  }

  async list({ principalId }: { readonly principalId?: string }): Promise<readonly StoredKey[]> {
    const filter = principalId === undefined ? {} : { filter: { principalId: { eq: principalId } } };
    const rows = await this.#opened().list({ ...filter, sort: ["-createdAt"] });
    return rows as unknown as readonly StoredKey[];
  }

  async create(key: StoredKey): Promise<void> {
    await this.#opened().create({ ...key });
  }

  update(id: string, changes: Partial<StoredKey>, expected?: Pick<StoredKey, "secretHash">): Promise<boolean> {
    const { secretHash } = expected ?? {};
    return this.#opened().updateWhere(id, secretHash === undefined ? undefined : { secretHash }, changes);
  }

  #opened(): ReturnType<AuthHost["rowsOf"]> {
    if (this.#rows === undefined)
      throw new Error("These API keys don't belong to an API yet. Pass them to defineApi first.");
    return this.#rows;
  }
}
