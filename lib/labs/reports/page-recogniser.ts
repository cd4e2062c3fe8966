import type { ReportWord } from "../../domain/lab-reports/report-page.ts";
import type { PageImage } from "./grey-image.ts";

/** Reads the words in the image of an upright page. */
export interface PageRecogniser {
  /** Whether what matters of a page is read a second time, because it errs without saying so. */
  readonly isReadAgain: boolean;
  /** The words with their places in points of the page that the image shows, and how sure each is. */
  recognise(image: PageImage): Promise<ReportWord[]>;
}
