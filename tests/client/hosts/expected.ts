const WATCHED = [
  ["current", "fantasy"],
  ["updated", "fantasy"],
];

/** What the scenario returns, wherever the client runs. */
export const EXPECTED = {
  items: [{ title: "Emma", author: { name: "Jane Austen" } }],
  updated: { title: "Łódź 東京", price: 8 },
  deleted: null,
  invalid: { code: "VALIDATION_FAILED", status: 422, issues: ["too_small"] },
  missing: { code: "NOT_FOUND", status: 404, issues: [] },
  unreachable: { code: "UNAVAILABLE", status: "none", issues: [] },
  aborted: "Error: stopped",
  watched: WATCHED,
  watchedBySocket: WATCHED,
};
