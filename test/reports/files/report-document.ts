import { createReportContent, type ReportContent } from "../content/report-content.ts";
import type { ReportTruth } from "../content/report-truth.ts";
import { SeededRandom } from "../content/seeded-random.ts";
import type { Layout } from "../layouts/layout.ts";
import type { DrawnPage } from "../pages/drawn-page.ts";
import { typesetReport } from "../pages/typeset-report.ts";
import { renderImagePdf, renderTextPdf } from "./pdf.ts";
import { photographPage, scanPage } from "./scanner.ts";

const documentKinds = ["text", "scan300", "scan200", "photo"] as const;
/** The form of a report: a PDF with text, a scan (images or a PDF of images), photos. */
export type DocumentKind = (typeof documentKinds)[number];

/** Maximum number of images in one upload. Longer scans are PDFs. */
const MAX_IMAGES = 8;

/** A report as files, with the expected result of its parsing. */
export interface ReportDocument {
  readonly name: string;
  readonly layout: Layout;
  readonly kind: DocumentKind;
  readonly files: readonly Uint8Array[];
  readonly pageCount: number;
  readonly truth: ReportTruth;
}

/** Half of the scans are image files, the other half are PDFs of images. */
async function files(
  kind: DocumentKind,
  content: ReportContent,
  pages: readonly DrawnPage[],
  random: SeededRandom,
): Promise<readonly Uint8Array[]> {
  if (kind === "text") return [await renderTextPdf(pages, content.layout)];
  const shot = (page: DrawnPage) =>
    kind === "photo" ? photographPage(page, random) : scanPage(page, kind === "scan300" ? 300 : 200, random);
  const images = pages.map(shot);
  const isPdf = images.length > MAX_IMAGES || (kind !== "photo" && random.boolean(0.5));
  return isPdf ? [await renderImagePdf(images, pages)] : images;
}

/** Creates a report of a layout in one form. The same seed gives the same report in every form. */
export async function createReportDocument(layout: Layout, seed: number, kind: DocumentKind): Promise<ReportDocument> {
  const content = createReportContent(layout, seed);
  const pages = typesetReport(content);
  const made = await files(kind, content, pages, new SeededRandom(layout.name, seed, kind));
  return {
    name: `${layout.name}-${seed}-${kind}`,
    layout,
    kind,
    files: made,
    pageCount: pages.length,
    truth: content.truth,
  };
}
