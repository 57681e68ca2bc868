import { accessTable, explainAccess, printAccessTable } from "@bifocal/core/explain";
import { createBookstore } from "@bifocal/example-bookstore";
import { expect, test } from "vitest";

const { api } = createBookstore();
const principals = {
  nobody: null,
  reader: { id: "reader", roles: ["reader"] },
  author: { id: "ursula", roles: ["author"] },
  editor: { id: "editor", roles: ["editor"] },
  admin: { id: "admin", roles: ["admin"] },
};

test("prints the table of rights", async () => {
  expect(printAccessTable(await accessTable(api, principals))).toMatchInlineSnapshot(`
    "                            nobody     reader      author      editor      admin
    read author                 yes        yes         yes         yes         yes
    create author               no         no          no          yes         yes
    update author               no         no          no          yes         yes
    delete author               no         no          no          no          yes
    read author.email           no         yes         yes         yes         yes
    read book                   where [1]  where [1]   where [2]   yes         yes
    create book                 no         no          no          yes         yes
    update book                 no         no          where [3]   yes         yes
    delete book                 no         no          no          no          yes
    write book.authorId         no         no          no          yes         yes
    write book.price            no         no          no          yes         yes
    write book.publishedAt      no         no          no          yes         yes
    link book.tags              no         no          no          yes         yes
    call book.publish           no         no          no          yes         yes
    call book.discount          no         no          no          no          yes
    call book.trending          where [1]  where [1]   where [2]   yes         yes
    read review                 yes        yes         yes         yes         yes
    create review               no         where [4]   where [5]   where [6]   where [7]
    update review               no         where [4]   where [5]   where [6]   where [7]
    delete review               no         where [4]   where [5]   where [6]   yes
    call review.restore         no         where [4]   where [5]   where [6]   yes
    read tag                    yes        yes         yes         yes         yes
    create tag                  no         no          no          yes         yes
    update tag                  no         no          no          yes         yes
    delete tag                  no         no          no          no          yes
    link tag.books              no         no          no          yes         yes
    read shop                   yes        yes         yes         yes         yes
    create shop                 no         no          no          no          no
    update shop                 no         no          no          no          no
    delete shop                 no         no          no          no          no
    read shop.revenue           no         no          no          yes         yes
    read sale                   no         no          no          yes         yes
    create sale                 no         no          no          yes         yes
    update sale                 no         no          no          where [8]   where [9]
    delete sale                 no         no          no          no          no
    read user                   no         yes         yes         yes         yes
    create user                 no         no          no          no          yes
    update user                 no         where [10]  where [11]  where [12]  yes
    delete user                 no         no          no          no          yes
    read user.email             no         where [10]  where [11]  where [12]  yes
    write user.role             no         no          no          no          yes
    write user.shopId           no         no          no          no          yes
    read user.active            no         where [10]  where [11]  where [12]  yes
    write user.active           no         no          no          no          yes
    call user.token             no         where [10]  where [11]  where [12]  where [13]
    read apiKey                 no         where [14]  where [15]  where [16]  where [17]
    create apiKey               no         no          no          no          no
    update apiKey               no         no          no          no          no
    delete apiKey               no         no          no          no          no
    write apiKey.principalId    no         no          no          no          no
    write apiKey.roles          no         no          no          no          no
    write apiKey.scopes         no         no          no          no          no
    write apiKey.revokedAt      no         no          no          no          no
    write apiKey.lastUsedAt     no         no          no          no          no
    write apiKey.previousUntil  no         no          no          no          no

    88 field and relation permissions inherit from their resource (not shown).

    [1] publishedAt isNull false
    [2] author (userId eq "ursula") or publishedAt isNull false
    [3] (author (userId eq "ursula") or publishedAt isNull false) and author (userId eq "ursula")
    [4] reviewer eq "reader"
    [5] reviewer eq "ursula"
    [6] reviewer eq "editor"
    [7] reviewer eq "admin"
    [8] sellerId eq "editor"
    [9] sellerId eq "admin"
    [10] id eq "reader"
    [11] id eq "ursula"
    [12] id eq "editor"
    [13] id eq "admin"
    [14] principalId eq "reader"
    [15] principalId eq "ursula"
    [16] principalId eq "editor"
    [17] principalId eq "admin""
  `);
});

test("explains why an editor can change a review, and which reviews", async () => {
  const { text } = await explainAccess(api, principals.editor, { kind: "update", resource: "review" });
  expect(text).toMatchInlineSnapshot(`
    "editor (editor): update review
      within the scope: deletedAt isNull true
      update review: yes where reviewer eq "editor"
        review.access.read = allow: yes
        review.access.update = owner("reviewer"): yes where reviewer eq "editor"
      inherited from the resource: id, bookId, reviewer, stars, text, createdAt, book"
  `);
});
