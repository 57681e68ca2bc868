/** Opens the URL of a filter or search form without its empty inputs and with plain brackets. */
export function submitQuery(form: HTMLFormElement): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form))
      if (typeof value === "string" && value !== "") query.append(name, value);
    const text = query.toString().replaceAll("%5B", "[").replaceAll("%5D", "]").replaceAll("%2C", ",");
    location.assign(`${form.getAttribute("action") ?? ""}${text === "" ? "" : `?${text}`}`);
  });
}
