/** Reads a request as HTTP writes it: a line, headers, an empty line, content. */
export function readMessage(text: string) {
  const [head = "", ...rest] = text.trim().split("\n\n");
  const [first = "", ...lines] = head.split("\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = Object.fromEntries(
    lines.map((line) =>
      line
        .toLowerCase()
        .split(": ", 1)
        .concat(line.slice(line.indexOf(": ") + 2)),
    ),
  );
  return { method, path, headers: headers as Record<string, string>, content: rest.join("\n\n") };
}
