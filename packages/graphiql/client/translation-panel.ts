import { useGraphiQL, useOperationsEditorState, useVariablesEditorState } from "@graphiql/react";
import { createElement, type ReactElement, useEffect, useState } from "react";
import { type Form, requestTranslation, type Translation } from "./request-translation.ts";

/** Milliseconds without a change before the document is translated. */
const PAUSE = 150;

type Shown = { readonly translations: readonly Translation[] } | { readonly problem: string };

/** Shows the document of the editor as REST requests, client calls and commands, while it is edited. */
export function TranslationPanel({ prefix }: { readonly prefix: string }): ReactElement {
  const [document] = useOperationsEditorState();
  const [variables] = useVariablesEditorState();
  const operationName = useGraphiQL((state) => state.operationName);
  const [shown, setShown] = useState<Shown>({ translations: [] });
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      requestTranslation(`${prefix}/-/translate`, { document, variables, operationName }, abort.signal).then(
        (translations) => setShown({ translations }),
        (error: unknown) => {
          if (!abort.signal.aborted) setShown({ problem: error instanceof Error ? error.message : String(error) });
        },
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [document, variables, operationName, prefix]);
  return createElement(
    "section",
    { className: "translation", "aria-label": "REST" },
    createElement("h2", null, "REST"),
    "problem" in shown
      ? createElement("p", { role: "status" }, shown.problem)
      : shown.translations.map((one, index) => createElement("div", { key: index }, ...forms(one, prefix))),
  );
}

function forms({ rest, client, curl }: Translation, prefix: string): readonly ReactElement[] {
  return [
    form("Request", rest, ({ method, url, headers, body }) =>
      [
        `${method} ${prefix}${url}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...(body === undefined ? [] : ["", JSON.stringify(body, null, 2)]),
      ].join("\n"),
    ),
    form("TypeScript", client, ({ code }) => `await ${code}`),
    form("curl", curl, ({ command }) => command),
  ];
}

function form<Text extends object>(title: string, one: Form<Text>, print: (text: Text) => string): ReactElement {
  const shown =
    "reason" in one
      ? createElement("p", null, `Not available: ${one.reason}`)
      : createElement("pre", { role: "group", tabIndex: 0, "aria-label": title }, print(one));
  return createElement("div", { key: title }, createElement("h3", null, title), shown);
}
