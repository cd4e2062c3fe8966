import { InputError } from "./input-error.ts";

const ROOT = /<HealthData[\s>]/;
/** Apple's DTD is about 8,000 characters; what has no root element this far in is another file. */
const LONGEST_PROLOG = 256 * 1024;

/**
 * The UTF-8 text of an export from its root element on, in parts. The XML declaration and the DTD before it are dropped
 * unread: no entity is declared there, and the DTDs of several iOS versions are not well formed.
 * @throws InputError where there is no `<HealthData`.
 */
export async function* healthDataText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let prolog: string | undefined = "";
  for await (const part of bytes) {
    const text = decoder.decode(part, { stream: true });
    if (prolog === undefined) {
      yield text;
      continue;
    }
    prolog += text;
    const root = prolog.search(ROOT);
    if (root >= 0) {
      yield prolog.slice(root);
      prolog = undefined;
    } else if (prolog.length > LONGEST_PROLOG) break;
  }
  if (prolog !== undefined) throw new InputError("This is not an Apple Health export: it has no <HealthData> element.");
}

/** Whether these bytes are an Apple Health export; reads no further than the root element. */
export async function isHealthData(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  try {
    for await (const _ of healthDataText(bytes)) return true;
    return false;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
