import type { PageOptions } from "./page-options.ts";

type Rgb = readonly [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The backgrounds of `colors.css`. */
const DARK_PAGE: Rgb = [20, 23, 26];
/** WCAG 2.2, 1.4.3, with some room for backgrounds that are slightly darker or lighter. */
const MIN_CONTRAST = 5;

/** Writes the custom properties for the chosen colors. Throws a TypeError for a color that isn't `#rrggbb`. */
export function themeCss({ color, styleColors = {}, css = "" }: PageOptions): string {
  const chosen = Object.entries({
    "options.color": color,
    "options.styleColors.rest": styleColors.rest,
    "options.styleColors.graphql": styleColors.graphql,
  }).flatMap(([option, text]) => (text === undefined ? [] : [[option, parseColor(option, text)] as const]));
  const light = chosen.flatMap(([option, rgb]) => properties(option, readable(rgb, WHITE, BLACK), WHITE));
  const dark = chosen.flatMap(([option, rgb]) => properties(option, readable(rgb, DARK_PAGE, WHITE), DARK_PAGE));
  const own =
    chosen.length === 0 ? "" : `:root{${light.join(";")}}@media(prefers-color-scheme:dark){:root{${dark.join(";")}}}`;
  return own + css;
}

function properties(option: string, rgb: Rgb, page: Rgb): readonly string[] {
  const text = `rgb(${rgb.join(" ")})`;
  if (option !== "options.color") return [`--${option.split(".").at(-1) ?? ""}:${text}`];
  return [`--accent:${text}`, `--link:${text}`, `--on-accent:rgb(${page.join(" ")})`];
}

function parseColor(option: string, text: string): Rgb {
  const [, ...parts] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text) ?? [];
  if (parts.length !== 3) throw new TypeError(`${option} must be a color such as '#0b57d0'; received '${text}'.`);
  return parts.map((part) => Number.parseInt(part, 16)) as unknown as Rgb;
}

/** Mixes a color with another one until its contrast to the page suffices. */
function readable(color: Rgb, page: Rgb, other: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = color.map((value, at) => Math.round(value + ((other[at] as number) - value) * share));
    if (contrast(mixed as unknown as Rgb, page) >= MIN_CONTRAST) return mixed as unknown as Rgb;
  }
  return other;
}

function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
