import { expect, test } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { errorTable, gatewayErrorTable } from "../../../lib/contract/error-table.ts";
import { gatewayErrorCodes } from "../../../lib/local/http-api/gateway-response.ts";
import * as errors from "../../../lib/runtime/errors.ts";
import { errorsPage } from "./errors-page.ts";

test("docs/errors.md lists every code with its cause and its remedy", async () => {
  await expect(errorsPage()).toMatchFileSnapshot("../../../docs/errors.md");
});

test("the table has exactly the codes of the error classes, each with the status of its class", () => {
  const kinds = Object.values(errors).flatMap((one) =>
    "code" in one && "status" in one ? [[one.code, one.status] as const] : [],
  );
  const rows = Object.entries(errorTable).map(([code, { status }]) => [code, status]);
  expect(kinds.toSorted()).toEqual(rows.toSorted());
  const declared = endpoints.flatMap((one) => one.errors.map(({ code }) => code));
  expect(declared.filter((code) => !(code in errorTable))).toEqual([]);
});

test("the tables have every code of the gateway itself", () => {
  const known: Readonly<Record<string, { status: number }>> = { ...gatewayErrorTable, ...errorTable };
  const listed = Object.values(gatewayErrorCodes).map((code) => [String(known[code]?.status), code]);
  expect(listed).toEqual(Object.entries(gatewayErrorCodes));
});
