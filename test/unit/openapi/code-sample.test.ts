import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { toCodeSample } from "../../../lib/openapi/code-sample.ts";
import { expandRoutes } from "../../../lib/openapi/routes.ts";

const routes = endpoints.filter(({ method }) => method !== "ANY").flatMap(expandRoutes);
const sampleOf = (operationId: string) => {
  const route = routes.find((one) => one.operationId === operationId);
  return route === undefined ? undefined : toCodeSample(route).source;
};

test("a sample sends the credential and the body of its operation", () => {
  expect(sampleOf("ingestBatch")).toBe(
    [
      `const response = await fetch(\`\${origin}/v2/ingest/\${user_id}\`, {`,
      '  method: "POST",',
      "  headers: {",
      '    "x-service-api-key": key,',
      '    "content-type": "application/json",',
      "  },",
      "  body: JSON.stringify(body),",
      "});",
      "if (!response.ok) throw new Error(await response.text());",
      "const result = await response.json();",
    ].join("\n"),
  );
});

test("a sample needs no more than its operation requires", () => {
  expect(sampleOf("getOpenApi")?.split("\n")[0]).toBe(`const response = await fetch(\`\${origin}/openapi.json\`);`);
  expect(sampleOf("getGroupedTimeseries_heartrate")).toContain(`/heartrate/grouped?start_date=\${start_date}\``);
  expect(sampleOf("parserCreateJob")).not.toContain("content-type");
});

test("every sample is TypeScript", () => {
  for (const route of routes) {
    const { source } = toCodeSample(route);
    expect(() => transformSync(source, { loader: "ts", format: "esm" }), source).not.toThrow();
  }
});
