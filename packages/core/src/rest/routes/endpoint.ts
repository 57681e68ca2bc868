import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { DeprecationModel, ResourceModel } from "../../model/model.ts";
import type { StoreWrites } from "../../model/store-writes.ts";
import type { Handler, MethodHandler } from "./method-handler.ts";

/** A path with its methods. */
export interface Endpoint {
  /** For example `/books/{id}`. */
  readonly path: string;
  /** The resource that the path belongs to. */
  readonly resource: ResourceModel;
  /** The resource of the rows that the endpoint returns and accepts. */
  readonly subject: ResourceModel;
  readonly methods: Readonly<Partial<Record<Method, MethodHandler>>>;
  /** Handles `GET` with `Accept: text/event-stream`. */
  readonly watch?: Handler;
  readonly deprecation: DeprecationModel | undefined;
  /** Returns the error for an unsupported method. Default: METHOD_NOT_ALLOWED. */
  readonly refusal?: (method: string) => BifocalError | undefined;
}

export type Method = "GET" | "QUERY" | "POST" | "PUT" | "PATCH" | "DELETE";

export type WritesOf = (resource: ResourceModel) => StoreWrites;
