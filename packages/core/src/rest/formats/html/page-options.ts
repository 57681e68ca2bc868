/** How the pages look. */
export interface PageOptions {
  /** The name beside the mark. Default: the title of the API. */
  readonly name?: string;
  /** The URL of an image, on this host or as `data:`. Default: a pill in both colors. */
  readonly mark?: string;
  /** The color of links and buttons, as `#rrggbb`. Adjusted until it is readable in light and dark mode. */
  readonly color?: string;
  /** The color of each style, as `#rrggbb`. Default: teal for REST, plum for GraphQL. */
  readonly styleColors?: { readonly rest?: string; readonly graphql?: string };
  /** Origins from which the pages load images, such as `https://images.example`. Default: only the host itself. */
  readonly imageOrigins?: readonly string[];
  /** CSS after that of the pages. It can set the custom properties in `:root`, such as `--page` and `--line`. */
  readonly css?: string;
}

/** What each page needs to know about its looks. */
export interface PageLook extends Pick<PageOptions, "name" | "mark" | "imageOrigins"> {
  /** Name of the style sheet, with its version. */
  readonly css: string;
}
