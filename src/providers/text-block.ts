/** A block of text in the content of a message. */
export interface TextBlock {
  readonly type: "text";
  /** The canonical JSON text of the model result. */
  readonly text: string;
}
