import type { Font } from "./fonts.ts";

/** A text on a page: its left end and baseline in points from the top left corner. */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly font: Font;
  readonly size: number;
  /** 0 is black, 255 is white. */
  readonly grey: number;
  /** Degrees counterclockwise. */
  readonly turn: number;
}

/** A line, an outlined or filled rectangle, or a disc. */
export type PageShape =
  | {
      readonly kind: "line";
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly width: number;
      readonly grey: number;
    }
  | {
      readonly kind: "frame" | "fill";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly grey: number;
    }
  | { readonly kind: "disc"; readonly x: number; readonly y: number; readonly radius: number; readonly grey: number };

/** A page of positioned texts and shapes, the common source of PDFs and images. Shapes lie below texts. */
export class DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly runs: TextRun[] = [];
  readonly shapes: PageShape[] = [];

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
  }

  write(text: string, x: number, y: number, font: Font, size: number, grey = 20, turn = 0): void {
    if (text !== "") this.runs.push({ text, x, y, font, size, grey, turn });
  }

  line(x1: number, y1: number, x2: number, y2: number, width = 0.6, grey = 60): void {
    this.shapes.push({ kind: "line", x1, y1, x2, y2, width, grey });
  }

  frame(x: number, y: number, width: number, height: number, grey = 60): void {
    this.shapes.push({ kind: "frame", x, y, width, height, grey });
  }

  fill(x: number, y: number, width: number, height: number, grey: number): void {
    this.shapes.push({ kind: "fill", x, y, width, height, grey });
  }

  disc(x: number, y: number, radius: number, grey: number): void {
    this.shapes.push({ kind: "disc", x, y, radius, grey });
  }
}
