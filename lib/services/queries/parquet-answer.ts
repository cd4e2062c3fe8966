import { gzipSync } from "node:zlib";
import { parquetArchiveTypes } from "../../contract/compatibility.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import { Answer } from "../../runtime/http/answer.ts";
import type { QueryResult } from "./execute-query-batch.ts";

const PARQUET = "application/vnd.apache.parquet";

/** Media types of an Accept header, in order. */
const acceptedTypes = (accept: string | undefined) =>
  (accept ?? "").split(",").map((one) => one.split(";")[0]?.trim().toLowerCase() ?? "");

/**
 * Encodes results as Parquet on request: one result as a file, several as an archive of files.
 * @returns undefined if the request accepts JSON or any type. @throws ValidationFailed for several results as one file.
 */
export async function toParquetAnswer(
  results: readonly QueryResult[],
  accept: string | undefined,
): Promise<Answer | undefined> {
  const wanted = acceptedTypes(accept).find((type) => type === PARQUET || isArchive(type) || isJson(type));
  if (wanted === undefined || isJson(wanted)) return undefined;
  if (!isArchive(wanted) && results.length !== 1)
    throw ValidationFailed.at(
      ["body", "queries"],
      `${PARQUET} holds the result of one query; accept ${parquetArchiveTypes[0]} for several`,
    );
  const { encodeResultParquet } = await import("./result-parquet.ts");
  const files = results.map(({ table, checked }, index) => {
    return { name: `result-${index}.parquet`, content: encodeResultParquet(table, checked.columns) };
  });
  const { encodeTar } = await import("./tar-file.ts");
  const content = isArchive(wanted) ? gzipSync(encodeTar(files)) : files[0]?.content;
  return new Answer((content ?? Buffer.alloc(0)).toString("base64"), {
    headers: { "content-type": wanted, vary: "accept" },
    isFile: true,
  });
}

const isArchive = (type: string) => (parquetArchiveTypes as readonly string[]).includes(type);
const isJson = (type: string) => type === "*/*" || type === "application/*" || type === "application/json";
