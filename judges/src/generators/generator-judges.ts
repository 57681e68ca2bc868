import type { Judge } from "../judge.ts";
import { genql } from "./genql.ts";
import { gqlTada } from "./gql-tada.ts";
import { graphqlCodegen } from "./graphql-codegen.ts";
import { heyApi } from "./hey-api.ts";
import { openapiFetch } from "./openapi-fetch.ts";
import { openapiTypescriptCodegen } from "./openapi-typescript-codegen.ts";
import { orval } from "./orval.ts";
import { swaggerTypescriptApi } from "./swagger-typescript-api.ts";

/** Programs that generate a client from the OpenAPI document or the GraphQL schema. */
export const GENERATOR_JUDGES: readonly Judge[] = [
  openapiFetch,
  orval,
  heyApi,
  swaggerTypescriptApi,
  openapiTypescriptCodegen,
  graphqlCodegen,
  gqlTada,
  genql,
];
