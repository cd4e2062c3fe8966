import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import loadCore from "tesseract.js-core/tesseract-core-simd-lstm.js";
import type { ReportWord } from "../../domain/lab-reports/report-page.ts";
import type { PageImage } from "./grey-image.ts";
import type { PageRecogniser } from "./page-recogniser.ts";
import { readerFile } from "./reader-files.ts";

/** The engine's neural network alone; the model and this build have no other. */
const NEURAL = 1;
/** Columns of a table are one block to it: automatic layout loses cells, and on bad scans whole pages. */
const ONE_BLOCK = "6";
/** The level of a word in what the engine answers. */
const WORD_LEVEL = "5";

const POINTS = 72;

/** Loads the engine and its English model, which takes half a second and stays as long as the thread. */
export async function tesseract(): Promise<PageRecogniser> {
  const wasmBinary = await readFile(readerFile("tesseract-core-simd-lstm.wasm"));
  const core = await loadCore({ wasmBinary, TesseractProgress: () => {} });
  core.FS.writeFile("./eng.traineddata", gunzipSync(await readFile(readerFile("eng.traineddata.gz"))));
  const engine = new core.TessBaseAPI();
  if (engine.Init(null, "eng", NEURAL) === -1) throw new Error("the English model can not be loaded");
  engine.SetVariable("tessedit_pageseg_mode", ONE_BLOCK);
  return {
    isReadAgain: true,
    async recognise(image) {
      core.FS.writeFile("/input", greyMap(image));
      engine.SetVariable("user_defined_dpi", String(Math.round(image.dpi)));
      if (engine.SetImageFile(1, 0) === 1) throw new Error("the engine does not take the image");
      engine.Recognize(null);
      const table = engine.GetTSVText(0);
      engine.Clear();
      return withNumerals(table.split("\n").flatMap((line) => wordOf(line.split("\t"), image.dpi)));
    },
  };
}

/** The image as a portable grey map, the plainest format that the engine takes. */
function greyMap({ width, height, pixels }: PageImage): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function wordOf(columns: readonly string[], dpi: number): ReportWord[] {
  const text = columns[11]?.trim() ?? "";
  if (columns[0] !== WORD_LEVEL || text === "") return [];
  const [left = 0, top = 0, width = 0, height = 0] = columns
    .slice(6, 10)
    .map((pixels) => (Number(pixels) * POINTS) / dpi);
  return [{ text, left, top, width, height, confidence: Math.max(0, Math.round(Number(columns[10]))) }];
}

/** A stroke right behind a word, no higher than its letters, is a numeral (`Troponin I`); rulings are taken off before. */
function withNumerals(words: readonly ReportWord[]): ReportWord[] {
  return words.map((word, place) => {
    const before = words[place - 1];
    const isNumeral =
      word.text === "|" &&
      before !== undefined &&
      /\p{L}{2}$/u.test(before.text) &&
      Math.abs(word.top + word.height / 2 - before.top - before.height / 2) < before.height / 4 &&
      word.height < before.height * 1.2 &&
      word.left - before.left - before.width < before.height * 0.6;
    return isNumeral ? { ...word, text: "I" } : word;
  });
}
