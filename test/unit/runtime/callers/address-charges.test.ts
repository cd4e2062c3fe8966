import { expect, test } from "vitest";
import { contracts } from "../../../../functions/index.ts";

test("every lookup route without a credential charges the address of the caller", () => {
  const free = contracts.filter(
    (contract) =>
      contract.kind === "endpoint" &&
      contract.auth === "none" &&
      contract.access.length > 0 &&
      !contract.access.some(({ dependency }) => dependency === "usage"),
  );
  expect(free.map(({ operationId }) => operationId)).toEqual([]);
});
