import { encode } from "fast-png";
import type { DetectedWord, DetectWords } from "../../domain/lab-reports/report-reader.ts";
import type { PageImage } from "./grey-image.ts";
import type { PageRecogniser } from "./page-recogniser.ts";
import { UnreadableReport } from "./unreadable-report.ts";

const POINTS = 72;

/** A recogniser that uses a text detection service. @throws UnreadableReport if the service rejects an image. */
export const detectingWith = (detect: DetectWords): PageRecogniser => ({
  isReadAgain: false,
  async recognise(page) {
    const { width, height, pixels } = page;
    const words = await detect(encode({ width, height, data: pixels, depth: 8, channels: 1 }));
    if (words === null) throw new UnreadableReport("processing_error", "A page cannot be read.");
    return words.map((word) => onPage(word, page));
  },
});

function onPage({ text, left, top, width, height, confidence }: DetectedWord, page: PageImage) {
  const [across, down] = [page.width, page.height].map((pixels) => (pixels * POINTS) / page.dpi) as [number, number];
  return {
    text,
    left: left * across,
    top: top * down,
    width: width * across,
    height: height * down,
    confidence: Math.round(confidence),
  };
}
