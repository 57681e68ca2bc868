/** Swagger UI's immutable values, as far as they are used here. */
interface ImmutableList {
  readonly some: (test: (requirement: { readonly isEmpty: () => boolean }) => boolean) => boolean;
}
interface OperationProps {
  readonly get: (name: "security") => ImmutableList | undefined;
  readonly remove: (name: "security") => OperationProps;
}
interface SummaryProps {
  readonly operationProps: OperationProps;
}
interface React {
  readonly createElement: (component: unknown, props: object) => unknown;
}

/**
 * Shows a lock only on operations that require a credential. Swagger UI also shows it where one is optional. Requests
 * still contain the credential of the page.
 */
export function requiredLocks(): object {
  const OperationSummary =
    (Original: unknown, { React }: { readonly React: React }) =>
    ({ operationProps, ...others }: SummaryProps) => {
      const isOptional = operationProps.get("security")?.some((requirement) => requirement.isEmpty()) ?? false;
      const shown = isOptional ? operationProps.remove("security") : operationProps;
      return React.createElement(Original, { ...others, operationProps: shown });
    };
  return { wrapComponents: { OperationSummary } };
}
