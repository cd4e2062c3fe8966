import { DamagedFile } from "./input-error.ts";
import { readBytes, type SourceFile } from "./source-file.ts";

const MAX_ITEM_CHARACTERS = 64 * 1_048_576;
const DAMAGED = "The JSON file is damaged or incomplete.";

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];

/**
 * Streams the objects of the outermost lists of a JSON file, in batches per part of the file. Memory use is that of one
 * object.
 * @param depth lists around an object, for files with lists in a list.
 * @throws DamagedFile if the JSON is malformed or truncated.
 */
export async function* readJsonItems(bytes: AsyncIterable<Uint8Array>, depth = 1): AsyncGenerator<readonly unknown[]> {
  const decoder = new TextDecoder();
  const splitter = new ItemSplitter(depth);
  for await (const part of bytes) yield splitter.split(decoder.decode(part, { stream: true }));
  yield splitter.split(decoder.decode());
  if (!splitter.isComplete) throw new DamagedFile(DAMAGED);
}

/** Splits text, part by part, into the objects directly in lists. */
class ItemSplitter {
  readonly #depth: number;
  /** Open brackets outside of an item. */
  readonly #open: number[] = [];
  #itemDepth = 0;
  /** Text of the item so far. */
  #item = "";
  #isInString = false;
  #isEscaped = false;
  #hasContent = false;

  constructor(depth: number) {
    this.#depth = depth;
  }

  get isComplete(): boolean {
    return this.#hasContent && this.#open.length === 0 && this.#itemDepth === 0 && !this.#isInString;
  }

  split(part: string): unknown[] {
    const items: unknown[] = [];
    let from = 0;
    for (let at = 0; at < part.length; at++) {
      const code = part.charCodeAt(at);
      if (this.#isInString) this.#readString(code);
      else if (code === QUOTE) this.#isInString = true;
      else if (this.#itemDepth > 0) {
        if (code === OPEN_OBJECT || code === OPEN_LIST) this.#itemDepth++;
        else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && --this.#itemDepth === 0) {
          items.push(parse(this.#item + part.slice(from, at + 1)));
          this.#item = "";
        }
      } else if (code === OPEN_OBJECT && this.#isInList()) {
        this.#itemDepth = 1;
        from = at;
      } else this.#readOutside(code);
    }
    if (this.#itemDepth > 0) this.#item += part.slice(from);
    if (this.#item.length > MAX_ITEM_CHARACTERS) throw new DamagedFile("An object of the JSON file is too long.");
    return items;
  }

  #isInList(): boolean {
    return this.#open.at(-1) === OPEN_LIST && this.#open.filter((one) => one === OPEN_LIST).length === this.#depth;
  }

  #readString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInString = false;
  }

  #readOutside(code: number): void {
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      this.#hasContent = true;
      this.#open.push(code);
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      const opened = this.#open.pop();
      if (opened !== (code === CLOSE_LIST ? OPEN_LIST : OPEN_OBJECT)) throw new DamagedFile(DAMAGED);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedFile(DAMAGED);
  }
}

/** Parses a whole JSON file, for formats whose files are small. @throws DamagedFile if it is malformed. */
export async function readJson(file: SourceFile): Promise<unknown> {
  return parse((await readBytes(file)).toString("utf8").replace(/^\uFEFF/, ""));
}
