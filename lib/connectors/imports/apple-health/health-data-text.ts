import { InputError } from "../reading/input-error.ts";

const ROOT = /<HealthData[\s>]/;
/** Maximum length before the root element. Apple's DTD has about 8,000 characters. */
const MAX_PROLOG_CHARACTERS = 256 * 1024;

/**
 * Streams the UTF-8 text of an export from its root element on. Skips the XML declaration and the DTD unparsed: the DTD
 * declares no entities, and the DTDs of several iOS versions are malformed.
 * @throws InputError if `<HealthData` is missing.
 */
export async function* readHealthDataText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
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
    } else if (prolog.length > MAX_PROLOG_CHARACTERS) break;
  }
  if (prolog !== undefined) throw new InputError("This is not an Apple Health export: it has no <HealthData> element.");
}
