import { DataTable, List, ReferenceField, TextInput } from "react-admin";

const filters = [<TextInput key="title" source="title.icontains" label="Title" alwaysOn />];

export const BookList = () => (
  <List sort={{ field: "title", order: "ASC" }} filters={filters}>
    <DataTable>
      <DataTable.Col source="title" />
      <DataTable.Col source="authorId" label="Author" disableSort>
        <ReferenceField source="authorId" reference="author" />
      </DataTable.Col>
      <DataTable.NumberCol source="price" />
      <DataTable.NumberCol source="reviewCount" label="Reviews" disableSort />
    </DataTable>
  </List>
);
