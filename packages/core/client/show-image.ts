/** Shows the image of a link, if the policy of the page allows its host. */
export function showImage(link: HTMLAnchorElement): void {
  const allowed = [location.origin, ...(document.body.dataset["images"] ?? "").split(" ")];
  if (!allowed.includes(new URL(link.href).origin)) return;
  const image = document.createElement("img");
  image.className = "picture";
  image.alt = decodeURIComponent(new URL(link.href).pathname.split("/").at(-1) ?? "");
  image.loading = "lazy";
  image.src = link.href;
  link.title = link.href;
  link.replaceChildren(image);
}
