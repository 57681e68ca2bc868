/** `createdAt` as an enum value of GraphQL: `CREATED_AT`. */
export function constantCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}
