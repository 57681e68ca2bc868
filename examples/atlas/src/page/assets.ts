import { readFileSync } from "node:fs";

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** The page's style sheet and script, the only files that it loads. */
export function assets(): readonly Asset[] {
  return [
    { path: "/atlas.css", type: "text/css; charset=utf-8", text: read("atlas.css") },
    { path: "/atlas.js", type: "text/javascript; charset=utf-8", text: read("atlas.js") },
  ];
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}
