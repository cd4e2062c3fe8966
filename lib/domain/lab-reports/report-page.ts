/** A word where it stands on an upright page; places and sizes are points of 1/72 inch from the top left corner. */
export interface ReportWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** How sure the reader is of the text: 0 to 100, and 100 for a word of a text layer. */
  readonly confidence: number;
}

/** A page of a lab report as it was read; sizes in points of 1/72 inch. */
export interface ReportPage {
  readonly width: number;
  readonly height: number;
  /** Whether the words were text in the file or had to be recognised in an image. */
  readonly origin: "text" | "image";
  /** The resolution of the image in dots per inch, null for text. */
  readonly dpi: number | null;
  readonly words: readonly ReportWord[];
}
