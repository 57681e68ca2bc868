declare module "*.css";

/** Defined by Scalar's script, which the page loads first. */
declare const Scalar: {
  readonly createApiReference: (place: Element, configuration: object) => unknown;
};
