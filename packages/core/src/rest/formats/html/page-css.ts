/** The style sheet of all pages, with a light and a dark palette, and without external fonts or images. */
export const PAGE_CSS = `:root {
  color-scheme: light dark;
  --text: #1c2024; --soft: #5b6470; --page: #ffffff; --card: #f5f7f9; --line: #d5dbe1;
  --link: #0b57d0; --accent: #0b57d0; --on-accent: #ffffff; --danger: #b3261e; --warn: #7a4d00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e9ed; --soft: #a3adb8; --page: #14171a; --card: #1e2327; --line: #39414a;
    --link: #8ab4f8; --accent: #8ab4f8; --on-accent: #10233f; --danger: #f2b8b5; --warn: #ffd180;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .5rem; z-index: 1; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.top { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; color: var(--text); text-decoration: none; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0; padding: 0; }
nav a { display: inline-block; padding: .25rem 0; }
nav a[aria-current] { color: var(--text); font-weight: 600; text-decoration-thickness: 2px; }
main { max-width: 80rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; }
main:focus { outline: none; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
.lead { max-width: 60ch; }
.count, .note, .about, .formats, .crumbs { color: var(--soft); margin: .5rem 0; }
.warning { color: var(--warn); }
.empty { color: var(--soft); }
.scroll { position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-bottom: 1px solid var(--line); max-width: 24rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
th { background: var(--card); font-weight: 600; }
tbody tr:last-child td { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
dd .number { text-align: left; }
.more a { margin-right: .5rem; }
td .id { display: inline-block; max-width: 9ch; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.pages { margin: 1rem 0; }
.fields { margin: 1rem 0; border: 1px solid var(--line); border-radius: 6px; }
.fields > div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: 1rem; padding: .5rem .75rem; border-bottom: 1px solid var(--line); }
.fields > div:last-child { border-bottom: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
ul.related { margin: 0; padding-left: 1.1rem; }
details { margin: .75rem 0; border: 1px solid var(--line); border-radius: 6px; padding: .25rem .75rem; }
summary { cursor: pointer; padding: .35rem 0; font-weight: 600; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem; margin: .5rem 0 1rem; }
label { display: block; font-weight: 600; font-size: .9rem; }
.required { color: var(--soft); font-weight: 400; }
input, select, textarea { width: 100%; max-width: 40rem; padding: .45rem .6rem; font: inherit; color: inherit; background: var(--page); border: 1px solid var(--soft); border-radius: 4px; }
[aria-invalid="true"] { border-color: var(--danger); border-width: 2px; }
button { font: inherit; padding: .45rem 1rem; border: 0; border-radius: 4px; background: var(--accent); color: var(--on-accent); cursor: pointer; margin: .5rem 0; }
button[type="reset"], button[type="button"] { background: var(--card); color: var(--text); border: 1px solid var(--soft); }
button.danger { background: var(--page); color: var(--danger); border: 1px solid var(--danger); }
button[disabled] { opacity: .6; cursor: default; }
.field { margin: .75rem 0; }
.error, .errors { color: var(--danger); margin: .25rem 0; }
pre { overflow-x: auto; background: var(--card); padding: .75rem; border-radius: 6px; font-size: .875rem; max-height: 30rem; }
.command { white-space: pre-wrap; overflow-wrap: anywhere; }
.events ol { max-height: 16rem; overflow-y: auto; padding-left: 1.5rem; }
footer { border-top: 1px solid var(--line); padding: .75rem 1.25rem; color: var(--soft); font-size: .9rem; }
@media (max-width: 40rem) {
  .fields > div { grid-template-columns: 1fr; gap: 0; }
  button { width: 100%; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
