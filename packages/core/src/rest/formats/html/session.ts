import type { Principal } from "../../../definition/principal.ts";
import { signInHeaders } from "../../routes/sign-in-headers.ts";
import type { ApiView } from "../format.ts";
import { html, type Markup } from "./markup.ts";

export interface SessionOptions {
  /** The caller, if the page knows it. */
  readonly principal?: Principal | null;
  /** Whether the caller must sign in. */
  readonly needsSignIn?: boolean;
}

/**
 * Shows who is signed in, with a form for another credential. The script stores the credential in the tab and sends it
 * with each request.
 */
export function session(api: ApiView, { principal, needsSignIn = false }: SessionOptions): Markup {
  const options = signInHeaders(api.schemes);
  const who = principal ? html`Signed in as <bdi>${principal.id}</bdi>` : html`Sign in`;
  if (options.length === 0)
    return principal ? html`<p class="session" id="session" data-principal="${principal.id}">${who}</p>` : html``;
  return html`<details class="session" id="session" data-script hidden${needsSignIn ? html` data-required open` : ""}${principal ? html` data-principal="${principal.id}"` : ""}>
<summary>${who}</summary>
<form id="credential">
<label>Header <select name="header">${options.map((option) => html`<option>${option}</option>`)}</select></label>
<label>Value <input name="value" type="password" autocomplete="off" required></label>
<button>Sign in</button> <button type="reset">Sign out</button>
<p class="note">The credential is kept in this tab until you close it.</p>
</form>
</details>`;
}
