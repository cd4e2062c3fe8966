import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import loadCore from "tesseract.js-core/tesseract-core-simd-lstm.js";
import type { ReportWord } from "../../../domain/lab-reports/page/report-page.ts";
import type { PageImage } from "../image/grey-image.ts";
import { readerFilePath } from "../reader/reader-files.ts";
import type { PageRecogniser } from "./page-recogniser.ts";

/** The LSTM engine; the model and this build have no other. */
const NEURAL = 1;
/**
 * Page segmentation mode for a single block. Automatic segmentation loses cells of tables, and whole pages of bad
 * scans.
 */
const ONE_BLOCK = "6";
/** Level of a word in the TSV output. */
const WORD_LEVEL = "5";

const POINTS_PER_INCH = 72;

/** Loads the engine and its English model, which takes half a second. Both stay in memory as long as the thread. */
export async function loadTesseract(): Promise<PageRecogniser> {
  const wasmBinary = await readFile(readerFilePath("tesseract-core-simd-lstm.wasm"));
  const core = await loadCore({ wasmBinary, TesseractProgress: () => {} });
  core.FS.writeFile("./eng.traineddata", gunzipSync(await readFile(readerFilePath("eng.traineddata.gz"))));
  const engine = new core.TessBaseAPI();
  if (engine.Init(null, "eng", NEURAL) === -1) throw new Error("the English model cannot be loaded");
  engine.SetVariable("tessedit_pageseg_mode", ONE_BLOCK);
  return {
    needsSecondReading: true,
    async recognise(image) {
      core.FS.writeFile("/input", greyMap(image));
      engine.SetVariable("user_defined_dpi", String(Math.round(image.dpi)));
      if (engine.SetImageFile(1, 0) === 1) throw new Error("the OCR engine rejected the image");
      engine.Recognize(null);
      const table = engine.GetTSVText(0);
      engine.Clear();
      return restoreNumerals(table.split("\n").flatMap((line) => wordOf(line.split("\t"), image.dpi)));
    },
  };
}

/** Encodes the image as a portable grey map (PGM), the simplest format that the engine reads. */
function greyMap({ width, height, pixels }: PageImage): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function wordOf(columns: readonly string[], dpi: number): ReportWord[] {
  const text = columns[11]?.trim() ?? "";
  if (columns[0] !== WORD_LEVEL || text === "") return [];
  const [left = 0, top = 0, width = 0, height = 0] = columns
    .slice(6, 10)
    .map((pixels) => (Number(pixels) * POINTS_PER_INCH) / dpi);
  return [{ text, left, top, width, height, confidence: Math.max(0, Math.round(Number(columns[10]))) }];
}

/**
 * Restores Roman numerals: a vertical stroke directly behind a word and of its height (`Troponin I`). Rulings are
 * already removed.
 */
function restoreNumerals(words: readonly ReportWord[]): ReportWord[] {
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
