import { encode } from "fast-png";
import type { DetectedWord, DetectWords } from "../../../domain/lab-reports/report-reader.ts";
import type { PageImage } from "../image/grey-image.ts";
import { UnreadableReport } from "../unreadable-report.ts";
import type { PageRecogniser } from "./page-recogniser.ts";

const POINTS_PER_INCH = 72;

/** A recogniser that uses a text detection service. @throws UnreadableReport if the service rejects an image. */
export const detectorRecogniser = (detect: DetectWords): PageRecogniser => ({
  needsSecondReading: false,
  async recognise(page) {
    const { width, height, pixels } = page;
    const words = await detect(encode({ width, height, data: pixels, depth: 8, channels: 1 }));
    if (words === null) throw new UnreadableReport("processing_error", "A page cannot be read.");
    return words.map((word) => toReportWord(word, page));
  },
});

function toReportWord({ text, left, top, width, height, confidence }: DetectedWord, page: PageImage) {
  const [across, down] = [page.width, page.height].map((pixels) => (pixels * POINTS_PER_INCH) / page.dpi) as [
    number,
    number,
  ];
  return {
    text,
    left: left * across,
    top: top * down,
    width: width * across,
    height: height * down,
    confidence: Math.round(confidence),
  };
}
