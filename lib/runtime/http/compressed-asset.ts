import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { Answer } from "./answer.ts";
import { acceptsCoding } from "./compress.ts";

/** Answers an asset that the build compressed with Brotli: as it is, or as text for a caller who does not accept it. */
export async function compressedAsset(
  content: Buffer,
  acceptEncoding: string | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  if (acceptsCoding("br", acceptEncoding))
    return new Answer(content.toString("base64"), { headers: { ...headers, "content-encoding": "br" }, isFile: true });
  return new Answer((await promisify(brotliDecompress)(content)).toString(), { headers });
}
