/** The part of tesseract.js-core 7 in use here; the package ships without type declarations. */
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  interface TessBaseAPI {
    /** Loads a model that lies in the module's file system. @returns -1 when it can not be used. */
    Init(directory: null, language: string, engine: number): number;
    SetVariable(name: string, value: string): boolean;
    /** Takes the image in the file `/input` of the module's file system. @returns 1 when it is none. */
    SetImageFile(orientation: number, radians: number): number;
    Recognize(monitor: null): number;
    /** A line for each block, paragraph, line and word, with its place in pixels and its confidence. */
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
