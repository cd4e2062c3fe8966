import { expect, test } from "vitest";
import { specificationPage } from "./specification-page.ts";

test("docs/specification.md lists every statement in its section", async () => {
  await expect(specificationPage()).toMatchFileSnapshot("../../../docs/specification.md");
});
