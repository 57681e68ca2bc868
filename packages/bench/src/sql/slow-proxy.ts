// A proxy that delays data by some milliseconds, in order.
import { connect, createServer, type Socket } from "node:net";
import { ready } from "../ready.ts";

const [host = "127.0.0.1", port = "5432", delay = "1"] = process.argv.slice(2);

function forward(from: Socket, to: Socket): void {
  from.setNoDelay(true);
  from.on("data", (chunk) => setTimeout(() => to.write(chunk), Number(delay)));
  from.on("close", () => setTimeout(() => to.destroy(), Number(delay)));
  from.on("error", () => {});
}

const server = createServer((near) => {
  const far = connect(Number(port), host);
  forward(near, far);
  forward(far, near);
});
server.listen(0, "127.0.0.1", () => ready(server));
