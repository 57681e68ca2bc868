import { Edit, NumberInput, ReferenceInput, SimpleForm, TextInput } from "react-admin";

/** A form that shows the message of the API beside each rejected field. */
export const BookEdit = () => (
  <Edit mutationMode="pessimistic">
    <SimpleForm>
      <TextInput source="title" />
      <NumberInput source="price" />
      <ReferenceInput source="authorId" reference="author" />
    </SimpleForm>
  </Edit>
);
