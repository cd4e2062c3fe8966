import { describe, expect, test } from "vitest";
import { catalogue } from "../../../lib/events/catalogue/catalogue.ts";
import { createAsyncApiDocument } from "../../../lib/openapi/asyncapi-document.ts";
import { createOpenApiDocument } from "../../../lib/openapi/document.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test looks into the document at any depth
const document = createAsyncApiDocument() as any;
// biome-ignore lint/suspicious/noExplicitAny: a test looks into the document at any depth
const openapi = createOpenApiDocument() as any;

function* refsIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (name === "$ref" && typeof part === "string") yield part;
    else yield* refsIn(part);
  }
}

describe("the AsyncAPI document", () => {
  test("has one message for each event type, which one operation sends", () => {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const messages = Object.values<any>(document.components.messages);
    expect(messages.map(({ name }) => name)).toEqual(catalogue.map(({ type }) => type));
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const sent = Object.values<any>(document.operations).flatMap((operation) => operation.messages);
    expect(new Set(sent.map(({ $ref }) => $ref)).size).toBe(catalogue.length);
    expect(sent).toHaveLength(catalogue.length);
  });

  test("has no reference that leads nowhere", () => {
    const resolve = (ref: string) =>
      ref
        .split("/")
        .slice(1)
        // biome-ignore lint/suspicious/noExplicitAny: see above
        .reduce<any>((at, name) => at?.[name], document);
    const refs = [...refsIn(document)];
    expect(refs.length).toBeGreaterThan(catalogue.length);
    expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  });

  test("has the bodies of the OpenAPI document", () => {
    for (const { type } of catalogue) {
      const body = openapi.webhooks[type].post.requestBody.content["application/json"].schema;
      expect(document.components.messages[type.replaceAll(/\W/g, "_")].payload).toEqual(body);
    }
    const { WebhookHeaders: _, ...schemas } = document.components.schemas;
    for (const [name, schema] of Object.entries(schemas))
      expect([name, openapi.components.schemas[name]]).toEqual([name, schema]);
  });
});
