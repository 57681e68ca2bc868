// Measures the export of a list of 100,000 rows: its duration, and the increase of resident memory over idle.
import { fork } from "node:child_process";
import { once } from "node:events";

const MB = 1_048_576;
const child = fork(new URL("./servers/export.ts", import.meta.url), [], {
  execArgv: ["--conditions=@bifocal/source", "--expose-gc"],
});
const [{ port, idle }] = (await once(child, "message")) as [{ port: number; idle: number }];
for (const accept of ["text/csv", "application/x-ndjson"]) {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/rows`, { headers: { accept } });
  let bytes = 0;
  for await (const piece of response.body as AsyncIterable<Uint8Array>) bytes += piece.byteLength;
  const seconds = (performance.now() - started) / 1_000;
  child.send("peak");
  const [peak] = (await once(child, "message")) as [number];
  console.log(
    `${accept}: ${(bytes / MB).toFixed(1)} MB in ${seconds.toFixed(2)} s; resident ${(idle / MB).toFixed(0)} MB idle, at most ${((peak - idle) / MB).toFixed(0)} MB above`,
  );
}
child.kill();
