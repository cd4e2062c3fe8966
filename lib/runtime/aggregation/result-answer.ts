import { gzipSync } from "node:zlib";
import { parquetArchiveTypes } from "../../contract/dialect.ts";
import { Answer } from "../answer.ts";
import { ValidationFailed } from "../errors.ts";
import type { Answered } from "./answering.ts";

const PARQUET = "application/vnd.apache.parquet";

/** Media types of an Accept header, in order. */
const acceptedOf = (accept: string | undefined) =>
  (accept ?? "").split(",").map((one) => one.split(";")[0]?.trim().toLowerCase() ?? "");

/**
 * Encodes results as Parquet on request: one result as a file, several as an archive of files.
 * @returns undefined if the request accepts JSON or any type. @throws ValidationFailed for several results as one file.
 */
export async function parquetAnswer(
  results: readonly Answered[],
  accept: string | undefined,
): Promise<Answer | undefined> {
  const wanted = acceptedOf(accept).find((type) => type === PARQUET || isArchive(type) || isJson(type));
  if (wanted === undefined || isJson(wanted)) return undefined;
  if (!isArchive(wanted) && results.length !== 1)
    throw ValidationFailed.at(
      ["body", "queries"],
      `${PARQUET} holds the result of one query; accept ${parquetArchiveTypes[0]} for several`,
    );
  const { resultParquet } = await import("./result-parquet.ts");
  const files = results.map(({ table, checked }, index) => {
    return { name: `result-${index}.parquet`, content: resultParquet(table, checked.columns) };
  });
  const { tarFile } = await import("./tar-file.ts");
  const content = isArchive(wanted) ? gzipSync(tarFile(files)) : files[0]?.content;
  return new Answer((content ?? Buffer.alloc(0)).toString("base64"), {
    headers: { "content-type": wanted, vary: "accept" },
    isFile: true,
  });
}

const isArchive = (type: string) => (parquetArchiveTypes as readonly string[]).includes(type);
const isJson = (type: string) => type === "*/*" || type === "application/*" || type === "application/json";
