/** A type that nothing is assignable to, whose text is the message that the editor shows. */
export interface TypeMistake<Message extends string> {
  readonly "~mistake": Message;
}
