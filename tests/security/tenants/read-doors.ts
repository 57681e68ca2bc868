import fc from "fast-check";
import {
  type Asked,
  cursor,
  deletedId,
  draw,
  get,
  graphql,
  id,
  isbn,
  own,
  order,
  quantifier,
  stars,
  title,
  write,
} from "./draw.ts";

/** Every way to read rows, by name. */
export const READS: Readonly<Record<string, fc.Arbitrary<Asked>>> = {
  list: draw([order], (sort) => get(`/books?count=true&sort=${sort}&include=reviews,tags,country`)),
  page: draw([fc.nat(3)], (offset) => get(`/books?page[size]=1&page[offset]=${offset}`)),
  cursor: draw([cursor, fc.constantFrom("after", "before")], (token, side) =>
    get(`/books?page[size]=2&sort=title&page[${side}]=${token}`),
  ),
  graphqlCursor: draw([cursor], (after) =>
    graphql(
      "query ($after: String!) { books(first: 2, sort: [TITLE_ASC], after: $after) { pageInfo { hasNextPage endCursor } nodes { id } } }",
      { after },
    ),
  ),
  filter: draw([title, stars, quantifier], (eq, gte, each) =>
    get(`/books?filter[or][0][title]=${eq}&filter[or][1][reviews][${each}][stars][gte]=${gte}&count=true`),
  ),
  throughCountry: draw([title, quantifier], (eq, each) =>
    get(
      `/countries?filter[books][${each}][title]=${eq}&include=books.reviews&rel[books][sort]=-title&rel[books][page][size]=5`,
    ),
  ),
  search: draw([title], (words) => get(`/books?q=${words}&count=true`)),
  nested: draw([order], (sort) => get(`/countries/GB/books?sort=${sort}&count=true`)),
  item: draw([id], (key) => get(`/books/${key}?include=reviews,tags,country`)),
  mentions: draw([isbn, quantifier], (value, each) =>
    get(`/reviews?include=other&count=true&filter[other][isbn]=${value}&filter[book][mentions][${each}][stars][gte]=2`),
  ),
  mentionsOf: draw([id], (key) =>
    graphql("query ($id: ID!) { book(id: $id) { mentions { totalCount nodes { id other { isbn } } } } }", { id: key }),
  ),
  nestedItem: draw([id], (key) => get(`/reviews/${key}/book`)),
  aggregate: draw([fc.constantFrom("", "&group=title&sort=-count")], (more) =>
    get(`/books?aggregate=count,sum.price,max.price${more}`),
  ),
  query: draw([title], (eq) => write("QUERY", "/books", { filter: { title: { eq } }, count: true })),
  graphqlList: draw([title, stars], (eq, gte) =>
    graphql(
      "query ($eq: String!, $gte: Int!) { books(first: 5, filter: { or: [{ title: { eq: $eq } }, { reviews: { some: { stars: { gte: $gte } } } }] }) { totalCount nodes { id reviews(first: 5, sort: [STARS_DESC]) { totalCount nodes { id book { title } } } tags(first: 5) { nodes { name books { totalCount } } } country { books(first: 5) { nodes { id } } } } } }",
      { eq, gte },
    ),
  ),
  graphqlItem: draw([id], (key) =>
    graphql(
      "query ($id: ID!) { book(id: $id) { title reviews { nodes { stars } } } review(id: $id) { stars book { title } } }",
      { id: key },
    ),
  ),
  graphqlAggregate: draw([title], (eq) =>
    graphql(
      "query ($eq: String!) { booksAggregate(filter: { title: { ne: $eq } }) { nodes { count sum { price } } } }",
      { eq },
    ),
  ),
  format: draw([order, fc.constantFrom("text/csv", "text/html", "application/vnd.api+json")], (sort, accept) => ({
    ...get(`/books?sort=${sort}&page[size]=5&count=true&fields=id,title,price`),
    accept,
  })),
  computed: draw([fc.constantFrom("bookCount", "-dearest"), fc.nat(3)], (sort, least) =>
    get(`/countries?filter[bookCount][gte]=${least}&sort=${sort}&count=true`),
  ),
  graphqlComputed: draw([fc.nat(3)], (least) =>
    graphql(
      "query ($least: Int!) { countries(first: 5, filter: { dearest: { gte: $least } }, sort: [BOOK_COUNT_DESC]) { totalCount nodes { bookCount dearest } } }",
      { least },
    ),
  ),
  embeddedAggregate: draw([title], (ne) =>
    get(`/countries?rel[books][aggregate]=count,sum.price&rel[books][group]=title&rel[books][filter][title][ne]=${ne}`),
  ),
  having: draw([fc.integer({ min: 1, max: 2 })], (least) =>
    get(`/reviews?aggregate=count,min.stars&having[count][gte]=${least}&sort=-min.stars`),
  ),
  relationAggregate: draw([own], (key) =>
    graphql(
      "query ($id: ID!) { book(id: $id) { reviewsAggregate { nodes { count max { stars } } } country { booksAggregate(groupBy: [TITLE]) { nodes { group { title } count } } } } }",
      { id: key },
    ),
  ),
  relationSearch: draw([title], (words) =>
    get(`/countries?include=books&rel[books][q]=${words}&rel[books][count]=true`),
  ),
  graphqlSearch: draw([title], (words) =>
    graphql("query ($q: String!) { books(search: $q, first: 5) { totalCount nodes { id title } } }", { q: words }),
  ),
  finder: draw([fc.nat(4), title], (most, eq) => get(`/books/cheap?most=${most}&filter[title]=${eq}&count=true`)),
  itemFinder: draw([id], (key) => get(`/books/${key}/alike?count=true`)),
  finderValue: draw([id], (key) => get(`/books/${key}/digest`)),
  graphqlFinder: draw([id, fc.nat(4)], (key, most) =>
    graphql(
      "query ($id: ID!, $most: Int!) { cheapBooks(most: $most) { totalCount nodes { id reviews { totalCount } } } alikeBooks(id: $id) { nodes { title } } bookDigest(id: $id) }",
      { id: key, most },
    ),
  ),
  deletedRows: draw([fc.constantFrom("only", "with"), deletedId], (deleted, key) =>
    get(`/books/${key}?deleted=${deleted}&fields=id,title`),
  ),
  nestedDeletedRows: draw([fc.constantFrom("only", "with"), id], (deleted, own) =>
    get(`/books/${own}/reviews?deleted=${deleted}`),
  ),
  // Ids and times of entries differ between the worlds.
  history: draw([id], (key) => get(`/books/${key}/history?fields=by,operation,changes&count=true&page[size]=100`)),
  graphqlHistory: draw([id], (key) =>
    graphql(
      "query ($id: ID!) { book(id: $id) { history(first: 50) { totalCount nodes { by operation changes { field from to } } } } }",
      { id: key },
    ),
  ),
  filterByHistory: draw([quantifier, fc.constantFrom("create", "update", "delete")], (each, operation) =>
    get(`/books?filter[history][${each}][operation]=${operation}&count=true`),
  ),
};
