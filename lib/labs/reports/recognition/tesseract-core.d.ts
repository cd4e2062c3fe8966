/** The used part of tesseract.js-core 7; the package ships without type declarations. */
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  interface TessBaseAPI {
    /** Loads a model from the module's file system. @returns -1 on failure. */
    Init(directory: null, language: string, engine: number): number;
    SetVariable(name: string, value: string): boolean;
    /** Reads the image in `/input` of the module's file system. @returns 1 on failure. */
    SetImageFile(orientation: number, radians: number): number;
    Recognize(monitor: null): number;
    /** One line per block, paragraph, line and word, with its bounding box in pixels and its confidence. */
    GetTSVText(page: number): string;
    Clear(): void;
  }
  interface TesseractCore {
    readonly TessBaseAPI: new () => TessBaseAPI;
    readonly FS: { writeFile(path: string, data: Uint8Array): void };
  }
  const load: (options: {
    readonly wasmBinary: Uint8Array;
    readonly TesseractProgress: () => void;
  }) => Promise<TesseractCore>;
  export default load;
}
