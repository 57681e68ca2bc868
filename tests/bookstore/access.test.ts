import { accessTable, explainAccess, printAccessTable } from "@bifocal/core/access";
import { createBookstore } from "@bifocal/example-bookstore";
import { expect, test } from "vitest";

const { api } = createBookstore();
const principals = {
  nobody: null,
  reader: { id: "reader", roles: ["reader"] },
  editor: { id: "editor", roles: ["editor"] },
  admin: { id: "admin", roles: ["admin"] },
};

test("the table of who may do what", async () => {
  expect(printAccessTable(await accessTable(api, principals))).toMatchInlineSnapshot(`
    "                    nobody     reader     editor     admin
    read author         yes        yes        yes        yes
    create author       no         no         yes        yes
    update author       no         no         yes        yes
    delete author       no         no         no         yes
    read author.email   no         yes        yes        yes
    read book           where [1]  where [1]  yes        yes
    create book         no         no         yes        yes
    update book         no         no         yes        yes
    delete book         no         no         no         yes
    call book.publish   no         no         yes        yes
    call book.discount  no         no         no         yes
    read review         yes        yes        yes        yes
    create review       no         where [2]  where [3]  where [4]
    update review       no         where [2]  where [3]  where [4]
    delete review       no         where [2]  where [3]  yes
    read tag            yes        yes        yes        yes
    create tag          no         no         yes        yes
    update tag          no         no         yes        yes
    delete tag          no         no         no         yes

    All else as its row: 44 rights of fields and relations.

    [1] publishedAt isNull false
    [2] reviewer eq "reader"
    [3] reviewer eq "editor"
    [4] reviewer eq "admin""
  `);
});

test("why an editor may change a review, and which", async () => {
  const { text } = await explainAccess(api, principals.editor, { kind: "update", resource: "review" });
  expect(text).toMatchInlineSnapshot(`
    "editor (editor): update review
      update review: yes where reviewer eq "editor"
        review.access.read = allow: yes
        review.access.update = owner("reviewer"): yes where reviewer eq "editor"
      as the row: id, bookId, reviewer, stars, text, createdAt, book"
  `);
});
