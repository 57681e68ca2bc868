import { createClient, restLens } from "@bifocal/client";
import { createDataProvider } from "@bifocal/client/react-admin";
import type { api } from "@bifocal/example-library-api";
import { Admin, type DataProvider, EditGuesser, ListGuesser, Resource } from "react-admin";
import { BookEdit } from "./book-edit.tsx";
import { BookList } from "./book-list.tsx";

const client = createClient<typeof api>({ url: new URL("/api", location.href).href, lens: restLens() });
const dataProvider: DataProvider = createDataProvider(client);

export const Library = () => (
  <Admin dataProvider={dataProvider}>
    <Resource name="book" list={BookList} edit={BookEdit} recordRepresentation="title" />
    <Resource name="author" list={ListGuesser} edit={EditGuesser} recordRepresentation="name" />
    <Resource name="review" list={ListGuesser} />
  </Admin>
);
