import type { ReportContent } from "../content/report-content.ts";
import type { DrawnPage } from "./drawn-page.ts";
import { breakIntoLines, type Font, textWidth } from "./fonts.ts";
import { Sheet } from "./sheet.ts";

/** The style of a text; sizes and distances are points. */
export interface TextStyle {
  readonly isBold?: boolean;
  readonly size?: number;
  readonly grey?: number;
  /** Distance below the first baseline of the current block. */
  readonly down?: number;
  /** The part of the text at the given position. */
  readonly align?: "left" | "right" | "center";
}

/** Fills pages from top to bottom, for laboratories with a custom results form. */
export class ReportFlow {
  readonly content: ReportContent;
  readonly sheet: Sheet;
  readonly size: number;
  readonly #titles: (flow: ReportFlow) => void;

  /** @param titles draws the titles above the results of every page. */
  constructor(content: ReportContent, titles: (flow: ReportFlow) => void) {
    this.content = content;
    this.sheet = new Sheet(content);
    this.size = content.layout.size;
    this.#titles = titles;
    titles(this);
  }

  get page(): DrawnPage {
    return this.sheet.page;
  }

  /** Height of one line of text, points. */
  get line(): number {
    return this.size * this.content.layout.leading;
  }

  /** The specimen details in the head of the report. */
  detail(name: "collected" | "specimen"): string {
    return this.content.patient.lines.find(({ detail }) => detail === name)?.text ?? "";
  }

  font(isBold = false): Font {
    return { family: this.content.layout.font, isBold };
  }

  width(text: string, { isBold, size = this.size }: TextStyle = {}): number {
    return textWidth(text, this.font(isBold), size);
  }

  breakText(text: string, width: number, { isBold, size = this.size }: TextStyle = {}): string[] {
    return breakIntoLines(text, this.font(isBold), size, width);
  }

  /** Goes to the next page if `height` does not fit on the current page. @returns whether it did. */
  ensureRoom(height: number): boolean {
    if (this.sheet.hasRoom(height)) return false;
    this.sheet.advance();
    this.#titles(this);
    return true;
  }

  moveDown(height: number): void {
    this.sheet.y += height;
  }

  /** Writes a text at a distance from the left edge of the results. @returns the end of the text. */
  writeAt(text: string, x: number, manner: TextStyle = {}): number {
    const { align, isBold, size = this.size, grey = 20, down = 0 } = manner;
    const wide = this.width(text, manner);
    const start = align === "right" ? x - wide : align === "center" ? x - wide / 2 : x;
    this.page.write(text, this.sheet.left + start, this.sheet.y + this.size + down, this.font(isBold), size, grey);
    return start + wide;
  }

  /** Writes lines below each other from the current position. */
  writeLines(lines: readonly string[], x: number, manner: TextStyle = {}): void {
    const { down = 0, size = this.size } = manner;
    lines.forEach((text, place) => {
      this.writeAt(text, x, { ...manner, down: down + place * size * 1.25 });
    });
  }

  rule(from = 0, to = this.sheet.width, width = 0.6, grey = 60): void {
    const { left, y } = this.sheet;
    this.page.line(left + from, y, left + to, y, width, grey);
  }

  fill(x: number, width: number, height: number, grey: number): void {
    this.page.fill(this.sheet.left + x, this.sheet.y, width, height, grey);
  }

  frame(x: number, width: number, height: number, grey = 100): void {
    this.page.frame(this.sheet.left + x, this.sheet.y, width, height, grey);
  }

  /** Writes free text, wrapped to the width. */
  writeText(text: string, inset: number, manner: TextStyle = {}): void {
    const size = manner.size ?? this.size - 0.5;
    for (const line of this.breakText(text, this.sheet.width - inset, { ...manner, size })) {
      this.ensureRoom(size * 1.3);
      this.writeAt(line, inset, { grey: 50, ...manner, size });
      this.moveDown(size * 1.3);
    }
  }

  /** Ends the report with the laboratory's closing notes. */
  finish(...lines: readonly string[]): DrawnPage[] {
    this.moveDown(this.size);
    for (const line of [...lines, ...this.content.closing]) this.writeText(line, 0);
    return this.sheet.finish();
  }
}
