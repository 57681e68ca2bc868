import { expect, test } from "vitest";
import { answerText } from "../../answer.ts";
import { shop } from "./shop.ts";

const VALUES = 1_000;

test("a host's subscription whose values are ready at once lets other requests run in between", async () => {
  let sinceTurn = 0;
  let most = 0;
  const { api } = shop({
    extend: {
      typeDefs: "extend type Subscription { count: Int! }",
      resolvers: {
        Subscription: {
          count: {
            async *subscribe() {
              for (let n = 0; n < VALUES; n += 1) {
                most = Math.max(most, ++sinceTurn);
                yield n;
              }
            },
            resolve: (n) => n,
          },
        },
      },
    },
  });
  let counting = setImmediate(function count() {
    sinceTurn = 0;
    counting = setImmediate(count);
  });
  const query = encodeURIComponent("subscription { count }");
  const { text } = await answerText(api, "GET", `/graphql?query=${query}`, {
    headers: { accept: "text/event-stream" },
  });
  clearImmediate(counting);
  expect(text.match(/^event: next$/gm)).toHaveLength(VALUES);
  expect(most).toBeLessThan(100);
});
