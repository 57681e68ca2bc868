import type { OAuthClient } from "@bifocal/core/pages";
import { readDocument } from "./read-document.ts";
import { withSignIn } from "./with-sign-in.ts";

const CONFIGURATION = {
  // Each of these would load a file from another host, send data to it, or link to a service.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  // scalar.css has the colors.
  theme: "none",
  defaultOpenFirstTag: false,
  // Shows only the examples of the document.
  hiddenClients: true,
};

addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("reference") as HTMLElement;
  const { url = "", color = "", oauth, redirect = "" } = place.dataset;
  // scalar.css has a color for an empty property.
  document.documentElement.style.setProperty("--brand", color);
  const start = (source: object): unknown => Scalar.createApiReference(place, { ...CONFIGURATION, ...source });
  readDocument(url)
    .then((described) => (oauth === undefined ? described : addClient(described, oauth, redirect)))
    .then(
      (content) => start({ content }),
      // Scalar reads it again, and shows the error.
      () => start({ url }),
    );
});

function addClient(described: object, oauth: string, redirect: string): Promise<object> {
  const client = JSON.parse(oauth) as Required<OAuthClient>;
  // Without the authorization server, the page still shows the document.
  return withSignIn(described, client, new URL(redirect, location.href).href).catch(() => described);
}
