import "@graphiql/react/style.css";
import "@graphiql/plugin-doc-explorer/style.css";
import "@graphiql/plugin-history/style.css";
import "graphiql/graphiql.css";
import "./page.css";
import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import { createLocalStorage } from "@graphiql/toolkit";
import { GraphiQL } from "graphiql";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { createFetcher } from "./fetcher.ts";
import { createTranslationPlugin } from "./translation-plugin.ts";
import { startWorker } from "./workers.ts";

globalThis.MonacoEnvironment = { getWorker: (_id, label) => startWorker(label) };

const place = document.getElementById("graphiql") as HTMLElement;
const { endpoint = "", headers, open, query } = place.dataset;
// `/graphql#query=…` opens with a document that never reaches the server's log.
const linked = new URLSearchParams(location.hash.slice(1));
const [linkedQuery, linkedVariables] = [linked.get("query"), linked.get("variables")];

createRoot(place).render(
  createElement(GraphiQL, {
    fetcher: createFetcher(endpoint),
    // Each API of an origin has its own tabs and history.
    storage: createLocalStorage({ namespace: `graphiql ${endpoint}` }),
    plugins: [HISTORY_PLUGIN, createTranslationPlugin(endpoint)],
    inputValueDeprecation: true,
    schemaDescription: true,
    ...(linkedQuery === null ? {} : { initialQuery: linkedQuery }),
    ...(linkedVariables === null ? {} : { initialVariables: linkedVariables }),
    ...(query === undefined ? {} : { defaultQuery: query }),
    ...(headers === undefined ? {} : { defaultHeaders: headers }),
    ...(open === "headers" ? { defaultEditorToolsVisibility: open } : {}),
  }),
);
