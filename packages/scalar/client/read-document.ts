/** The host of the code samples in every document, which is the same for all hosts. */
const EXAMPLE_HOST = "https://api.example.com";

/** Reads the OpenAPI document, and puts the host of the page into its code samples, so that a copied sample works. */
export async function readDocument(url: string): Promise<object> {
  const response = await fetch(url);
  return JSON.parse(await response.text(), (key, value: unknown) =>
    key === "x-codeSamples" && Array.isArray(value) ? value.map(withOwnHost) : value,
  ) as object;
}

function withOwnHost(sample: { readonly source: string }): object {
  return { ...sample, source: sample.source.replaceAll(EXAMPLE_HOST, location.origin) };
}
