/** Where Bifocal writes what callers must not see: causes of masked errors, reasons of system calls. */
export interface Log {
  info(message: string, details?: LogDetails): void;
  warn(message: string, details?: LogDetails): void;
  error(message: string, details?: LogDetails): void;
}

export type LogDetails = Readonly<Record<string, unknown>>;

/** Writes to the console; details follow the message only where there are some. */
export const consoleLog: Log = {
  info: (message, details) => (details === undefined ? console.info(message) : console.info(message, details)),
  warn: (message, details) => (details === undefined ? console.warn(message) : console.warn(message, details)),
  error: (message, details) => (details === undefined ? console.error(message) : console.error(message, details)),
};

/** Keeps nothing. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
