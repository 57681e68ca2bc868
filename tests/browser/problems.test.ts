import { expect, test } from "vitest";
import { runAxe } from "./axe.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { startLibrary } from "./library.ts";

describeInChromium("error pages", () => {
  const library = useSite(() => startLibrary());

  test.each([
    ["sort=tittle&page[size]=3", "tittle", "sort=title&page[size]=3"],
    ["sort=price,-tittle", "tittle", "sort=price,-title"],
    ["fields=id,tittle", "tittle", "fields=id,title"],
    ["include=autor", "autor", "include=author"],
    ["filter[genra]=novel&sort=price", "genra", "filter[genre]=novel&sort=price"],
    ["filter[author.nam][icontains]=a", "nam", "filter[author.name][icontains]=a"],
    ["filter[price][gtee]=5", "gtee", "filter[price][gte]=5"],
    ["fliter[genre]=novel", "fliter", "filter[genre]=novel"],
    ["page[sise]=3", "sise", "page[size]=3"],
    ["cuont=true", "cuont", "count=true"],
    ["aggregate=count&group=genra", "genra", "aggregate=count&group=genre"],
    ["aggregate=avg.pric", "avg.pric", "aggregate=avg.price"],
  ])("links from %s to the corrected request", async (query, wrong, corrected) => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${library.url}/books?${query}`);
    expect(await page.locator(".lead").textContent()).toContain("Did you mean '");
    expect(await page.locator("main mark").allTextContents()).toEqual([wrong]);
    const link = page.locator("main p", { hasText: "Did you mean" }).last().getByRole("link");
    expect(await link.getAttribute("href")).toBe(`/books?${corrected}`);
    const [response] = await Promise.all([page.waitForResponse(/books/), link.click()]);
    expect(response.status()).toBe(200);
  });

  test.each([
    [
      "sort=tittle&filter[genra]=novel",
      ["sort=title&filter[genra]=novel", "sort=tittle&filter[genre]=novel"],
      "sort=title&filter[genre]=novel",
    ],
    [
      "fliter[genra]=novel&sort=-prise",
      ["filter[genra]=novel&sort=-prise", "fliter[genre]=novel&sort=-prise", "fliter[genra]=novel&sort=-price"],
      "filter[genre]=novel&sort=-price",
    ],
    ["fields=titel,gnre", ["fields=title,gnre", "fields=titel,genre"], "fields=title,genre"],
    ["filter[pricee][ltt]=5", ["filter[price][ltt]=5", "filter[pricee][lt]=5"], "filter[price][lt]=5"],
  ])("links from %s to a correction of each mistake, and of all", async (query, each, all) => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${library.url}/books?${query}`);
    const links = page.locator("main p", { hasText: "Did you mean" }).getByRole("link");
    const urls = await links.evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? ""));
    expect(urls.toSorted()).toEqual(each.map((corrected) => `/books?${corrected}`).toSorted());
    const whole = page.getByRole("link", { name: `Correct all ${each.length} names` });
    expect(await whole.getAttribute("href")).toBe(`/books?${all}`);
    const [response] = await Promise.all([page.waitForResponse(/books/), whole.click()]);
    expect(response.status()).toBe(200);
  });

  test("suggests nothing for a name without a similar one, and escapes the request", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${library.url}/books?filter[<img src=x onerror=alert(1)>]=1`);
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.locator("main .command").textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.getByText("Did you mean").count()).toBe(0);
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });

  test("shows a rejected read in each style, and opens the form to sign in", async () => {
    const { page } = await openPage();
    await page.goto(`${library.url}/secrets?fields=text`);
    expect(await page.getByLabel("The request in REST").innerText()).toMatch(/^GET \/secrets\s+\?fields=text$/);
    expect(await page.getByLabel("The request in GraphQL").innerText()).toContain("secrets {");
    await expect.poll(() => page.locator("details.session").getAttribute("open")).not.toBe(null);
    await page.goto(`${library.url}/books/999`);
    expect(await page.getByLabel("The request in GraphQL").innerText()).toContain("book(id:");
  });

  test.each([
    ["filter[price][lt]=abc", "abc", "abc"],
    ["filter[genre]=poetry&sort=price", "poetry", "poetry"],
    ["filter[isLent]=maybe", "maybe", "maybe"],
    ["filter[xyz]=1", "xyz", "xyz"],
    ["filter[genra]=novel&sort=-price", "genra", "genra"],
    ["filter[author.nam]=x", "nam", "nam"],
    ["filter[price][xx]=1", "xx", "xx"],
    ["sort=price,-tittle", "tittle", "TITTLE_DESC"],
    ["fields=id,tittle", "tittle", "tittle"],
    ["include=autor", "autor", "autor"],
    ["page[size]=99999", "99999", "99999"],
    ["aggregate=count&group=genra", "genra", "GENRA"],
  ])("shows %s in both styles with the mistake marked, and both reject it", async (query, inRest, inGraphql) => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${library.url}/books?${query}`);
    const marksIn = (style: string): Promise<string[]> => page.locator(`.in-${style} mark`).allTextContents();
    expect([await marksIn("rest"), await marksIn("graphql")]).toEqual([[inRest], [inGraphql]]);
    expect(await page.getByLabel("The request in REST").textContent()).toBe(`GET /books?${query}`);
    const variables = page.getByLabel("The variables");
    const response = await fetch(`${library.url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        query: await page.getByLabel("The request in GraphQL").innerText(),
        variables: (await variables.count()) === 0 ? {} : (JSON.parse(await variables.innerText()) as object),
      }),
    });
    const { errors } = (await response.json()) as { readonly errors?: readonly { readonly message: string }[] };
    const messages = errors?.map(({ message }) => message).join(" ") ?? "";
    expect(messages).toMatch(inGraphql === "99999" ? /first|size/ : new RegExp(inGraphql));
  });

  test.each([
    ["filter[genra]=novel&sort=prise&page[size]=9999", ["genra", "prise", "9999"], ["genra", "PRISE_ASC", "9999"], ""],
    ["filter[pricee][lt]=abc", ["pricee", "abc"], ["pricee", "abc"], ""],
    ["fields=titel,gnre&sort=title,-xx", ["titel", "gnre", "xx"], ["titel", "gnre", "XX_DESC"], ""],
    ["include=labels&rel[labels][page][size]=0&filter[genre]=x", ["0", "x"], ["x", "0"], ""],
    ["page[after]=zzz", ["zzz"], ["zzz"], ""],
    ["page[after]=a&page[before]=b", ["page[before]=b"], [], "Without page[before]=b, which has no valid form."],
    ["nothing=1&sort=titel", ["nothing=1", "titel"], ["TITEL_ASC"], "Without nothing=1, which has no valid form."],
    ["count=maybe", ["maybe"], [], "true takes the place of maybe."],
  ])("shows each mistake of %s in both styles, or says what it left out", async (query, inRest, inGraphql, note) => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${library.url}/books?${query}`);
    const marksIn = async (style: string): Promise<readonly string[]> =>
      (await page.locator(`.in-${style} mark`).allTextContents()).toSorted();
    expect(await marksIn("rest")).toEqual(inRest.toSorted());
    expect(await marksIn("graphql")).toEqual(inGraphql.toSorted());
    const notes = await page.locator(".in-graphql .note").allTextContents();
    expect(notes.filter((text) => text !== "Variables").join("")).toBe(note);
  });

  test.each([
    [
      "books?filter[genra]=novel&sort=-prise",
      'await client.book.list({ filter: { genre: "novel" }, sort: ["-price"] })',
      ["genre takes the place of genra.", "price takes the place of prise."],
    ],
    [
      "books?filter[price][lt]=abc",
      "await client.book.list({ filter: { price: { lt: 1 } } })",
      ["1 takes the place of abc."],
    ],
    [
      "books?nothing=1&sort=title",
      'await client.book.list({ sort: ["title"] })',
      ["Without nothing=1, which has no valid form."],
    ],
    ["books/first", "await client.book.get(1)", ["1 takes the place of first."]],
    ["books?page[after]=zzz", 'await client.book.list({ page: { after: "zzz" } })', []],
    ["nothing", undefined, ["Not available: no operation has this path."]],
  ])("shows the valid call in TypeScript that is similar to %s", async (path, call, notes) => {
    const { page } = await openPage();
    await page.goto(`${library.url}/${path}`);
    await page.getByText("TypeScript", { exact: true }).first().click();
    const code = page.getByLabel("The request in TypeScript");
    expect((await code.count()) === 0 ? undefined : (await code.innerText()).replaceAll(/\s+/g, " ")).toBe(call);
    expect(await page.locator(".in-client .note").allTextContents()).toEqual(notes);
    expect((await runAxe(page)).violations).toEqual([]);
  });

  test("shows the id of a missing row, and says why an unknown path has no other style", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${library.url}/books/first`);
    expect(await page.getByLabel("The request in REST").textContent()).toBe("GET /books/first");
    expect(await page.locator(".in-rest mark").textContent()).toBe("first");
    expect(JSON.parse(await page.getByLabel("The variables").innerText())).toEqual({ id: "first" });
    await page.goto(`${library.url}/nothing`);
    expect(await page.getByLabel("The request in REST").textContent()).toBe("GET /nothing");
    expect(await page.locator(".in-graphql .note").textContent()).toBe("Not available: no operation has this path.");
  });

  test("links to the page of its code, which shows the error in each style", async () => {
    const { page, complaints } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${library.url}/books/999`);
    await page.getByRole("link", { name: "About NOT_FOUND" }).click();
    expect(page.url()).toBe(`${library.url}/-/errors/not-found`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("404 Not found");
    const inRest = JSON.parse((await page.getByLabel("The error in REST").textContent()) ?? "") as {
      readonly type: string;
    };
    const sent = (await (await fetch(`${library.url}/books/999`)).json()) as { readonly type: string };
    expect(inRest).toMatchObject({ type: sent.type, status: 404, code: "NOT_FOUND" });
    expect(await page.getByLabel("The error in GraphQL").textContent()).toContain('"code": "NOT_FOUND"');
    expect(await page.getByLabel("The error in TypeScript").textContent()).toContain('error.code === "NOT_FOUND"');
    for (const link of await page.locator(".codes a").all()) {
      const url = new URL((await link.getAttribute("href")) ?? "", library.url);
      expect((await fetch(url)).status).toBe(200);
    }
    expect(await page.locator(".codes a").count()).toBe(18);
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  });

  test("shows the id of a failed request, with a button to copy it", async () => {
    const { page } = await openPage({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${library.url}/faults/1`);
    const id = (await page.getByLabel("The id of the request").textContent()) ?? "";
    expect(id).not.toBe("");
    await page.getByRole("button", { name: "Copy" }).first().click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  });

  test("counts down until a request can succeed", async () => {
    const limited = await startLibrary({ points: 40 });
    const { page } = await openPage();
    await expect.poll(async () => (await page.goto(`${limited.url}/books`))?.status(), { interval: 10 }).toBe(429);
    const timer = page.getByRole("timer");
    const seconds = async (): Promise<number> => Number(/\d+/.exec((await timer.textContent()) ?? "")?.[0]);
    const first = await seconds();
    expect(first).toBeGreaterThan(0);
    await expect.poll(seconds).toBeLessThan(first);
    expect(await page.getByRole("link", { name: "Try again" }).getAttribute("href")).toBe("/books");
    expect((await runAxe(page)).violations).toEqual([]);
    await limited.close();
  });
});
