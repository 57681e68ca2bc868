import { showDescription } from "./description.ts";
import { isWritable, takes } from "../../../model/parse/input-parser.ts";
import type { WireMember, WireType } from "../../../model/wire-type.ts";
import { decimalPattern } from "../../../util/decimal.ts";
import type { Json } from "../../../util/json.ts";
import type { RowView, View } from "../format.ts";
import { fieldWords } from "./field-words.ts";
import { html, type Markup } from "./markup.ts";
import { inputPicker, pickerData, type PickerSite } from "./picker.ts";
import { referenceLabel } from "./value.ts";
import { toWords } from "./words.ts";

interface FormOptions {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly button: string;
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly url: string;
  /** Sent as `If-Match`. */
  readonly version?: string | undefined;
  readonly fields?: readonly Markup[];
  /** Question to confirm before sending. */
  readonly confirm?: string;
  /** The message after success. */
  readonly done?: string;
  /** The page to open after success. Default: that of the created row, or the same page again. */
  readonly next?: string;
  /** Whether to show the response, because it isn't a row with a page. */
  readonly isAnswered?: boolean;
}

/** Returns a form that the script sends as JSON. It is hidden without JavaScript. */
export function writeForm({
  id,
  label,
  description,
  button,
  method,
  url,
  version,
  fields = [],
  confirm,
  done,
  next,
  isAnswered = false,
}: FormOptions): Markup {
  const data = html`data-method="${method}" data-url="${url}"${version === undefined ? "" : html` data-version="${version}"`}${
    confirm === undefined ? "" : html` data-confirm="${confirm}"`
  }${done === undefined ? "" : html` data-done="${done}"`}${next === undefined ? "" : html` data-next="${next}"`}${isAnswered ? html` data-answer` : ""}`;
  const form = html`<form class="write" id="${id}" ${data} novalidate aria-label="${label}">
${description === undefined ? "" : html`<p class="about">${showDescription(description)}</p>`}
<div class="errors" role="alert" tabindex="-1" hidden></div>
${fields}
<button${method === "DELETE" ? html` class="danger"` : ""}>${button}</button>
${isAnswered ? html`<pre class="answer" role="status" tabindex="-1" aria-label="The response" hidden></pre>` : ""}
</form>`;
  if (fields.length === 0) return html`<div data-script hidden>${form}</div>`;
  return html`<details data-script hidden><summary>${label}</summary>${form}</details>`;
}

/** The place of a form and the resource that it writes to. */
export type FormSite = PickerSite & Pick<View, "resource">;

/** Returns an input for each writable field. */
export function fieldInputs(
  site: FormSite,
  formId: "create" | "update",
  unwritable: readonly string[],
  row?: RowView,
): readonly Markup[] {
  const { resource } = site;
  return resource.visibleFields
    .filter((field) => takes(resource, field, formId) && isWritable(field, formId) && !unwritable.includes(field.name))
    .map((field) => {
      const { name, input, description } = field;
      const isRequired = formId === "create" && field.required;
      const member = { name, type: input, optional: !isRequired, description, deprecated: undefined };
      const picker = pickerData(site, resource, name);
      const shown = row && referenceLabel(row, name);
      return labelled(formId, member, row?.fields[name], {
        words: picker === undefined ? toWords(name) : fieldWords(site, name),
        data: picker && html`${picker}${shown === undefined ? "" : html` data-shown="${shown}"`}`,
      });
    });
}

/** Returns an input for each member of an action's input. */
export function memberInputs(site: FormSite, formId: string, type: WireType): readonly Markup[] {
  if (type.kind !== "object") return [labelled(formId, whole(type), undefined)];
  return type.members.map((member) => {
    const data = inputPicker(site, site.resource, member);
    const words = data === undefined ? toWords(member.name) : toWords(member.name.replace(/Id$/, ""));
    return labelled(formId, member, undefined, { words, data });
  });
}

/** An input that isn't an object is a single value without a name. */
function whole(type: WireType): WireMember {
  return { name: "", type, optional: false, description: undefined, deprecated: undefined };
}

interface LabelledOptions {
  readonly words: string;
  /** Further attributes of the input. */
  readonly data?: Markup | undefined;
}

function labelled(
  formId: string,
  member: WireMember,
  value: Json | undefined,
  { words, data }: LabelledOptions = { words: member.name === "" ? "Value" : toWords(member.name) },
): Markup {
  const { name, type, optional, description } = member;
  const id = `${formId}-${name === "" ? "value" : name}`;
  const about = description === undefined ? undefined : `${id}-about`;
  const kind = kindOf(type, value);
  const hint = kind === "json" ? "as JSON" : isLines(kind) ? "one per line" : undefined;
  return html`<div class="field">
<label for="${id}">${words}${optional ? "" : html` <span class="required">required</span>`}${hint === undefined ? "" : html` <span class="required">${hint}</span>`}</label>
${control(id, member, value, about)}
${description === undefined ? "" : html`<p class="about" id="${about}">${showDescription(description)}</p>`}
<p class="error" id="${id}-error" hidden></p>
</div>`;

  function control(
    inputId: string,
    { name: field }: WireMember,
    current: Json | undefined,
    aboutId: string | undefined,
  ): Markup {
    const described = html` aria-describedby="${aboutId === undefined ? "" : `${aboutId} `}${inputId}-error"`;
    const nullable = type.nullable ? html` data-nullable` : "";
    const common = html`id="${inputId}" name="f-${field}" data-kind="${kind}"${nullable}${optional ? "" : html` required`}${described}`;
    if (type.kind === "enum" || type.kind === "boolean") {
      const values = type.kind === "enum" ? type.values : ["true", "false"];
      const isEmpty = type.nullable || current === undefined;
      return html`<select ${common}>${isEmpty ? html`<option value=""></option>` : ""}${values.map(
        (one) =>
          html`<option${JSON.stringify(current) === (type.kind === "enum" ? JSON.stringify(one) : one) ? html` selected` : ""}>${one}</option>`,
      )}</select>`;
    }
    const text = textOf(kind, current);
    if (kind === "json" || isLines(kind) || text.length > 80 || text.includes("\n")) {
      return html`<textarea ${common} dir="auto" rows="4">\n${text}</textarea>`;
    }
    return html`<input type="${inputType(type)}" ${common} dir="auto" value="${text}"${type.kind === "number" ? html` step="any"` : ""}${type.kind === "decimal" ? html` inputmode="decimal" pattern="${decimalPattern(type)}"` : ""}${data}>`;
  }
}

/** Decides how the script reads the value of a control. `lines` and `numbers` are lists with one item per line. */
export type ControlKind = "text" | "number" | "boolean" | "json" | "lines" | "numbers";

function isLines(kind: ControlKind): boolean {
  return kind === "lines" || kind === "numbers";
}

/** Returns the kind for the current value of a type. A line can't hold every text. */
function kindOf(type: WireType, current: Json | undefined): ControlKind {
  if (type.kind === "list") {
    const kind = lineKind(type.item);
    const items: readonly Json[] = Array.isArray(current) ? (current as readonly Json[]) : [];
    return kind === undefined || items.some((item) => !isLine(item)) ? "json" : kind;
  }
  if (type.kind === "number" || type.kind === "integer") return "number";
  if (type.kind === "boolean") return "boolean";
  return type.kind === "object" || type.kind === "json" ? "json" : "text";
}

/** Returns how the items of a list are written, one per line. Undefined for items that need JSON. */
export function lineKind({ kind, nullable }: WireType): "lines" | "numbers" | undefined {
  if (nullable || kind === "object" || kind === "json" || kind === "list" || kind === "boolean") return undefined;
  return kind === "number" || kind === "integer" ? "numbers" : "lines";
}

function isLine(item: Json): boolean {
  return typeof item === "number" || (typeof item === "string" && item.trim() !== "" && !/[\r\n]/.test(item));
}

function textOf(kind: ControlKind, current: Json | undefined): string {
  if (current === undefined || current === null) return "";
  if (isLines(kind)) return (current as readonly (string | number)[]).join("\n");
  return typeof current === "string" ? current : JSON.stringify(current);
}

const TYPES: Readonly<Record<string, string>> = {
  number: "number",
  integer: "number",
  date: "date",
  email: "email",
  url: "url",
};

function inputType({ kind }: WireType): string {
  return TYPES[kind] ?? "text";
}
