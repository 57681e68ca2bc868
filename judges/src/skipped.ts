/** Thrown by a judge whose program can't be installed on this machine. The message is the reason. */
export class Skipped extends Error {}
