import type { Content } from "./content.ts";
import type { DrawnPage } from "./drawn-page.ts";
import { brokenText, type Font, textWidth } from "./fonts.ts";
import { Sheet } from "./sheet.ts";

/** The style of a text; sizes and distances are points. */
export interface Manner {
  readonly isBold?: boolean;
  readonly size?: number;
  readonly grey?: number;
  /** Distance below the first baseline of the current block. */
  readonly down?: number;
  /** The part of the text at the given position. */
  readonly align?: "left" | "right" | "center";
}

/** Fills pages from top to bottom, for laboratories with a custom results form. */
export class Flow {
  readonly content: Content;
  readonly sheet: Sheet;
  readonly size: number;
  readonly #titles: (flow: Flow) => void;

  /** @param titles draws the titles above the results of every page. */
  constructor(content: Content, titles: (flow: Flow) => void) {
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

  width(text: string, { isBold, size = this.size }: Manner = {}): number {
    return textWidth(text, this.font(isBold), size);
  }

  broken(text: string, width: number, { isBold, size = this.size }: Manner = {}): string[] {
    return brokenText(text, this.font(isBold), size, width);
  }

  /** Goes to the next page if `height` does not fit on the current page. @returns whether it did. */
  need(height: number): boolean {
    if (this.sheet.hasRoom(height)) return false;
    this.sheet.advance();
    this.#titles(this);
    return true;
  }

  down(height: number): void {
    this.sheet.y += height;
  }

  /** Writes a text at a distance from the left edge of the results. @returns the end of the text. */
  put(text: string, x: number, manner: Manner = {}): number {
    const { align, isBold, size = this.size, grey = 20, down = 0 } = manner;
    const wide = this.width(text, manner);
    const start = align === "right" ? x - wide : align === "center" ? x - wide / 2 : x;
    this.page.write(text, this.sheet.left + start, this.sheet.y + this.size + down, this.font(isBold), size, grey);
    return start + wide;
  }

  /** Writes lines below each other from the current position. */
  stack(lines: readonly string[], x: number, manner: Manner = {}): void {
    const { down = 0, size = this.size } = manner;
    lines.forEach((text, place) => {
      this.put(text, x, { ...manner, down: down + place * size * 1.25 });
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
  text(text: string, inset: number, manner: Manner = {}): void {
    const size = manner.size ?? this.size - 0.5;
    for (const line of this.broken(text, this.sheet.width - inset, { ...manner, size })) {
      this.need(size * 1.3);
      this.put(line, inset, { grey: 50, ...manner, size });
      this.down(size * 1.3);
    }
  }

  /** Ends the report with the laboratory's closing notes. */
  end(...lines: readonly string[]): DrawnPage[] {
    this.down(this.size);
    for (const line of [...lines, ...this.content.closing]) this.text(line, 0);
    return this.sheet.finish();
  }
}
