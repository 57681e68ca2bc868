/** Shows a time in the language and the time zone of the browser. Its form in JSON stays the title. */
export function localizeTime(element: HTMLTimeElement): void {
  const text = element.dateTime;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return;
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  element.textContent = isDate
    ? time.toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" })
    : time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
