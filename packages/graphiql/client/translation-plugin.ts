import type { GraphiQLPlugin } from "@graphiql/react";
import { createElement } from "react";
import { TranslationPanel } from "./translation-panel.ts";

/** Adds a tab with the document as REST requests. `endpoint` is the URL of GraphQL. */
export function createTranslationPlugin(endpoint: string): GraphiQLPlugin {
  const prefix = endpoint.replace(/\/graphql$/, "");
  return {
    title: "REST",
    icon: () => createElement("span", { className: "translation-icon", "aria-hidden": true }, "REST"),
    content: () => createElement(TranslationPanel, { prefix }),
  };
}
