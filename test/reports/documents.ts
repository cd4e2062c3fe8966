import { type Content, reportContent } from "./content.ts";
import type { DrawnPage } from "./drawn-page.ts";
import type { Layout } from "./layout.ts";
import { imagePdf, textPdf } from "./pdf.ts";
import { Random } from "./random.ts";
import { photographed, scanned } from "./scanner.ts";
import type { ReportTruth } from "./truth.ts";
import { typeset } from "./typeset.ts";

export const kinds = ["text", "scan300", "scan200", "photo"] as const;
/** The form of a report: a PDF with text, a scan (images or a PDF of images), photos. */
export type Kind = (typeof kinds)[number];

/** Maximum number of images in one upload. Longer scans are PDFs. */
const MOST_IMAGES = 8;

/** A report as files, with the expected result of its parsing. */
export interface ReportDocument {
  readonly name: string;
  readonly layout: Layout;
  readonly kind: Kind;
  readonly files: readonly Uint8Array[];
  readonly pageCount: number;
  readonly truth: ReportTruth;
}

/** Half of the scans are image files, the other half are PDFs of images. */
async function files(
  kind: Kind,
  content: Content,
  pages: readonly DrawnPage[],
  random: Random,
): Promise<readonly Uint8Array[]> {
  if (kind === "text") return [await textPdf(pages, content.layout)];
  const shot = (page: DrawnPage) =>
    kind === "photo" ? photographed(page, random) : scanned(page, kind === "scan300" ? 300 : 200, random);
  const images = pages.map(shot);
  const isPdf = images.length > MOST_IMAGES || (kind !== "photo" && random.chance(0.5));
  return isPdf ? [await imagePdf(images, pages)] : images;
}

/** Creates a report of a layout in one form. The same seed gives the same report in every form. */
export async function reportDocument(layout: Layout, seed: number, kind: Kind): Promise<ReportDocument> {
  const content = reportContent(layout, seed);
  const pages = typeset(content);
  const made = await files(kind, content, pages, new Random(layout.name, seed, kind));
  return {
    name: `${layout.name}-${seed}-${kind}`,
    layout,
    kind,
    files: made,
    pageCount: pages.length,
    truth: content.truth,
  };
}
