import type { ReportContent } from "../content/report-content.ts";
import { DrawnPage } from "./drawn-page.ts";
import { drawFooter, drawWatermark, FOOTER_HEIGHT_PT } from "./page-footer.ts";
import { drawBriefHeader, drawLetterhead, drawPatientBlock } from "./page-header.ts";

const papers = {
  letter: { width: 612, height: 792 },
  a4: { width: 595.28, height: 841.89 },
  "letter-wide": { width: 792, height: 612 },
};
const GUTTER = 16;

/** Fills pages from top to bottom, region by region if results have two columns. */
export class Sheet {
  readonly content: ReportContent;
  readonly pages: DrawnPage[] = [];
  /** Position of the next element, points from the top. */
  y = 0;
  #region = 0;
  #top = 0;
  #balanced = Number.POSITIVE_INFINITY;

  constructor(content: ReportContent) {
    this.content = content;
    this.#addPage();
  }

  get page(): DrawnPage {
    const page = this.pages.at(-1);
    if (page === undefined) throw new Error("a sheet has a page from its start");
    return page;
  }

  /** Width of a region. */
  get width(): number {
    const { layout } = this.content;
    const inner = this.page.width - 2 * layout.margin;
    return layout.across === 2 ? (inner - GUTTER) / 2 : inner;
  }

  /** Left edge of the current region. */
  get left(): number {
    return this.content.layout.margin + this.#region * (this.width + GUTTER);
  }

  get bottom(): number {
    const end = this.page.height - this.content.layout.margin - FOOTER_HEIGHT_PT / 2;
    const isFirstOfTwo = this.content.layout.across === 2 && this.#region === 0;
    return isFirstOfTwo ? Math.min(end, this.#top + this.#balanced) : end;
  }

  /** Balances two columns of results if all fit on one page. @param height of all results. */
  balance(height: number): void {
    this.#balanced = height / 2 + this.content.layout.size * 2;
  }

  hasRoom(height: number): boolean {
    return this.y + height <= this.bottom;
  }

  /** Continues at the top of the next region. */
  advance(): void {
    this.#region += 1;
    if (this.#region < this.content.layout.across) this.y = this.#top;
    else this.#addPage();
  }

  /** Draws the parts that need the number of pages. */
  finish(): DrawnPage[] {
    for (const [place, page] of this.pages.entries()) drawFooter(page, this.content, place + 1, this.pages.length);
    return this.pages;
  }

  #addPage(): void {
    const { layout } = this.content;
    const { width, height } = papers[layout.paper];
    const page = new DrawnPage(width, height);
    this.pages.push(page);
    drawWatermark(page, this.content, this.pages.length);
    const isFull = this.pages.length === 1 || layout.patient.again === "full";
    this.#top = isFull
      ? drawPatientBlock(page, this.content, drawLetterhead(page, this.content))
      : drawBriefHeader(page, this.content);
    this.#region = 0;
    this.y = this.#top + layout.size * 0.5;
  }
}
