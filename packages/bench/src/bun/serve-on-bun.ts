/** The part of Bun that the benchmark uses. */
declare const Bun: {
  readonly serve: (options: {
    readonly port: number;
    readonly hostname: string;
    readonly fetch: (request: Request, server: unknown) => Response | Promise<Response>;
  }) => { readonly port: number };
};

/** Serves requests on Bun, and reports this contender's address and CPU time to the bench. */
export function serveOnBun(fetch: (request: Request, server: unknown) => Response | Promise<Response>): void {
  process.send?.(Bun.serve({ port: 0, hostname: "127.0.0.1", fetch }).port);
  process.on("message", () => process.send?.(process.cpuUsage()));
  process.once("SIGINT", () => process.exit(0));
}
