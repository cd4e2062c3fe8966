/** A word and its bounding box on an upright page, in points of 1/72 inch from the top left corner. */
export interface ReportWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** OCR confidence of the text: 0 to 100, and 100 for words of a text layer. */
  readonly confidence: number;
}

/** A page of a lab report; sizes in points of 1/72 inch. */
export interface ReportPage {
  readonly width: number;
  readonly height: number;
  /** `text` for words of a text layer, `image` for words recognised by OCR. */
  readonly origin: "text" | "image";
  /** Resolution of the image in dots per inch; null for text. */
  readonly dpi: number | null;
  readonly words: readonly ReportWord[];
}
