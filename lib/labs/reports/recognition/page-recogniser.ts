import type { ReportWord } from "../../../domain/lab-reports/page/report-page.ts";
import type { PageImage } from "../image/grey-image.ts";

/** Recognises the words in the image of an upright page. */
export interface PageRecogniser {
  /** Whether critical words need a second reading, because the engine may err with high confidence. */
  readonly needsSecondReading: boolean;
  /** The words with bounding boxes in points and their confidence. */
  recognise(image: PageImage): Promise<ReportWord[]>;
}
