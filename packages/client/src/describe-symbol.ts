/** The member of a client that returns the description of its API, for the modules of this package. */
export const DESCRIBE = "~describe";
