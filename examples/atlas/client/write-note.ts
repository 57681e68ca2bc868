import { byId } from "./elements.ts";

interface Place {
  readonly id: number;
  readonly name: string;
}

/** Lets the user write about one of the listed cities. The form shows the write in both lenses, and sends it. */
export function startWriting(send: (request: string) => void) {
  const form = byId<HTMLFormElement>("write");
  const select = form.elements.namedItem("cityId") as HTMLSelectElement;
  let chosen: Place | undefined;
  let listed: readonly Place[] = [];
  let known: readonly Place[] = [];

  function show(): void {
    const { value } = select;
    const places = new Map(
      [...(chosen === undefined ? [] : [chosen]), ...listed, ...known].map(({ id, name }) => [id, name]),
    );
    select.replaceChildren(...[...places].map(([id, name]) => new Option(name, String(id))));
    if ([...places.keys()].includes(Number(value))) select.value = value;
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const note = { cityId: Number(data.get("cityId")), by: data.get("by"), text: data.get("text") };
    send(`POST /notes\n\n${JSON.stringify(note, null, 2)}`);
    (form.elements.namedItem("text") as HTMLInputElement).value = "";
  });
  return {
    /** Lists cities of the current response. */
    list(places: readonly Place[]): void {
      listed = places;
      show();
    },
    /** Lists cities that have notes. */
    know(places: readonly Place[]): void {
      known = places;
      show();
    },
    choose(place: Place): void {
      chosen = place;
      show();
      select.value = String(place.id);
    },
  };
}
