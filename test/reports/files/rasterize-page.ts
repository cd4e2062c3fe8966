import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { DrawnPage, PageShape, TextRun } from "../pages/drawn-page.ts";
import { canvasFontName } from "../pages/fonts.ts";

/** The placement of a page on the scanner glass or below the camera. */
export interface PagePlacement {
  readonly dpi: number;
  /** Degrees counterclockwise. */
  readonly skew: number;
  /** Share of the image that the page covers, 1 for all of it. */
  readonly scale: number;
  /** Grey level around the page. */
  readonly background: number;
}

const tone = (grey: number) => `rgb(${grey},${grey},${grey})`;

function drawShape(context: SKRSContext2D, shape: PageShape): void {
  context.fillStyle = tone(shape.grey);
  context.strokeStyle = tone(shape.grey);
  switch (shape.kind) {
    case "line":
      context.lineWidth = shape.width;
      context.beginPath();
      context.moveTo(shape.x1, shape.y1);
      context.lineTo(shape.x2, shape.y2);
      context.stroke();
      break;
    case "frame":
      context.lineWidth = 0.6;
      context.strokeRect(shape.x, shape.y, shape.width, shape.height);
      break;
    case "fill":
      context.fillRect(shape.x, shape.y, shape.width, shape.height);
      break;
    case "disc":
      context.beginPath();
      context.arc(shape.x, shape.y, shape.radius, 0, 2 * Math.PI);
      context.fill();
  }
}

function drawRun(context: SKRSContext2D, run: TextRun): void {
  context.fillStyle = tone(run.grey);
  context.font = `${run.size}px "${canvasFontName(run.font)}"`;
  if (run.turn === 0) {
    context.fillText(run.text, run.x, run.y);
    return;
  }
  context.save();
  context.translate(run.x, run.y);
  context.rotate((-run.turn * Math.PI) / 180);
  context.fillText(run.text, 0, 0);
  context.restore();
}

/** Draws a page on a separate canvas, with its placement. */
export function rasterizePage(page: DrawnPage, lie: PagePlacement): Canvas {
  const [width, height] = [Math.round((page.width * lie.dpi) / 72), Math.round((page.height * lie.dpi) / 72)];
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = tone(lie.background);
  context.fillRect(0, 0, width, height);
  context.translate(width / 2, height / 2);
  context.rotate((-lie.skew * Math.PI) / 180);
  context.scale((lie.dpi / 72) * lie.scale, (lie.dpi / 72) * lie.scale);
  context.translate(-page.width / 2, -page.height / 2);
  context.fillStyle = "white";
  context.fillRect(0, 0, page.width, page.height);
  for (const shape of page.shapes) drawShape(context, shape);
  for (const run of page.runs) drawRun(context, run);
  return canvas;
}
