import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { endpoints } from "../../../functions/index.ts";
import { createOpenApiDocument } from "../../../lib/openapi/document.ts";
import { expandRoutes } from "../../../lib/openapi/routes.ts";

interface Content {
  readonly "application/json"?: { readonly example?: unknown };
}
interface Operation {
  readonly description?: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

const paths = createOpenApiDocument().paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const routes = endpoints.filter(({ method }) => method !== "ANY").flatMap(expandRoutes);

/** The JSON bodies of a route that documents show, with the schema of each. */
function bodiesOf({ contract, path, response }: (typeof routes)[number]) {
  const operation = paths[path]?.[contract.method.toLowerCase()];
  const [, answer] = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith("2")) ?? [];
  const parts = [
    { part: "request", content: operation?.requestBody?.content, schema: contract.body },
    { part: "response", content: answer?.content, schema: response },
  ];
  return parts.flatMap(({ part, content, schema }) => {
    const json = content?.["application/json"];
    // Some operations read their JSON as text.
    const isText = part === "request" && contract.mediaTypes !== undefined && json?.example !== undefined;
    const example = isText ? JSON.stringify(json.example) : json?.example;
    return json && schema ? [{ name: `${contract.operationId} ${part}`, example, schema }] : [];
  });
}
const bodies = routes.flatMap(bodiesOf);

/** JSON bodies without an example. A laboratory's message is text, and each provider has its own pushes. */
const withoutExample = [
  "receiveResult request",
  "receiveResult response",
  "receiveProviderPush response",
  "checkPushAddress response",
  "getOpenApi response",
  "getAsyncApi response",
];

describe("the examples of the OpenAPI document", () => {
  test("show every JSON body", () => {
    const missing = bodies.filter(({ example }) => example === undefined).map(({ name }) => name);
    expect([...new Set(missing)].filter((name) => !withoutExample.includes(name))).toEqual([]);
  });

  test("fit their schemas", () => {
    const check = ({ name, example, schema }: { name: string; example?: unknown; schema: z.ZodType }) => {
      const { error } = schema.safeParse(example);
      return error ? [`${name}: ${JSON.stringify(error.issues.slice(0, 2))}`] : [];
    };
    expect(bodies.filter(({ example }) => example !== undefined).flatMap(check)).toEqual([]);
  });

  test("contain no key, token or address of the machine that recorded them", () => {
    const text = JSON.stringify(bodies.map(({ example }) => example));
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|\b[a-z]{2}_[a-z]{2}_[A-Za-z0-9]{20}|whsec_[A-Za-z0-9+/]{20}/);
  });
});
