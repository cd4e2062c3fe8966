/** The texts of a row by part, before parsing. */
export interface RowTexts {
  readonly name: string;
  readonly value: string;
  readonly flag: string;
  readonly units: string;
  readonly range: string;
}
