/** Receives information that clients must not see, such as causes of masked errors and reasons of system calls. */
export interface Log {
  info(message: string, details?: LogDetails): void;
  warn(message: string, details?: LogDetails): void;
  error(message: string, details?: LogDetails): void;
}

export type LogDetails = Readonly<Record<string, unknown>>;

/** Writes to the console. */
export const consoleLog: Log = {
  info: (message, details) => (details === undefined ? console.info(message) : console.info(message, details)),
  warn: (message, details) => (details === undefined ? console.warn(message) : console.warn(message, details)),
  error: (message, details) => (details === undefined ? console.error(message) : console.error(message, details)),
};

/** Discards all messages. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
