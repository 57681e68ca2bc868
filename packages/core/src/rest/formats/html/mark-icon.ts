/** The mark of the pages, a pill in the colors of both styles, for the tab of the browser. */
export const MARK_ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M5 4h3v8H5a4 4 0 010-8z' fill='%230f766e'/%3E%3Cpath d='M8 4h3a4 4 0 010 8H8z' fill='%2386198f'/%3E%3C/svg%3E";
