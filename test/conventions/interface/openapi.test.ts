import { describe, expect, test } from "vitest";
import * as z from "zod";
import { endpoints } from "../../../functions/index.ts";
import { keyScopeNames } from "../../../lib/contract/key-scopes.ts";
import { catalogue } from "../../../lib/events/catalogue/catalogue.ts";
import { createOpenApiDocument } from "../../../lib/openapi/document.ts";

type Json = Record<string, unknown>;

const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.strictObject({ schema, example: z.unknown().optional() }));
const operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  tags: z.tuple([z.string()]),
  summary: z.string().min(1),
  description: z.string().min(40),
  deprecated: z.literal(true).optional(),
  security: z.array(z.record(z.string(), z.array(z.enum(keyScopeNames)).max(1))),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.enum(["path", "query"]),
      required: z.boolean(),
      deprecated: z.literal(true).optional(),
      schema,
    }),
  ),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string().regex(/^[2-5]\d\d$/),
    z.strictObject({
      description: z.string().min(1),
      content: content.optional(),
    }),
  ),
  "x-codeSamples": z.tuple([z.strictObject({ lang: z.literal("TypeScript"), label: z.string(), source: z.string() })]),
});
const reference = z.strictObject({ $ref: z.string() });
const webhook = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  security: z.tuple([]),
  tags: z.tuple([z.string()]),
  summary: z.string().min(1),
  description: z.string().min(1),
  requestBody: z.strictObject({ content: z.strictObject({ "application/json": z.strictObject({ schema }) }) }),
  responses: z.strictObject({ "2XX": reference }),
});
const openApi = z.strictObject({
  openapi: z.literal("3.1.0"),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  paths: z.record(
    z.string().startsWith("/"),
    z.partialRecord(z.enum(["get", "head", "post", "put", "patch", "delete"]), operation),
  ),
  servers: z.array(z.strictObject({ url: z.string(), description: z.string() })).min(1),
  tags: z.array(z.strictObject({ name: z.string(), "x-displayName": z.string(), description: z.string().min(1) })),
  "x-tagGroups": z.array(z.strictObject({ name: z.string(), tags: z.array(z.string()) })),
  webhooks: z.record(z.string(), z.strictObject({ post: webhook })),
  components: z.strictObject({
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), z.strictObject({ description: z.string() })),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});

/** The document as clients receive it. */
const text = JSON.stringify(createOpenApiDocument());
const document = openApi.parse(JSON.parse(text));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({ path, method, ...one })),
);

/** Every object inside a value, including the value. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as Json, ...inside];
}

/** The target of a reference, undefined if it does not exist. */
const resolve = (reference: string): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce<unknown>((at, name) => (at as Json | undefined)?.[name], document);

describe("operations of the OpenAPI document", () => {
  test("have unique operationIds", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test("cover every route", () => {
    const shown = new Set(operations.map(({ operationId, tags: [tag] }) => `${tag} ${operationId.split("_")[0]}`));
    const routes = endpoints.filter(({ method }) => method !== "ANY");
    expect([...shown].toSorted()).toEqual(routes.map(({ tag, operationId }) => `${tag} ${operationId}`).toSorted());
  });

  test("have a tag that is described, and that stands in one group", () => {
    const described = document.tags.map(({ name }) => name).toSorted();
    expect(document["x-tagGroups"].flatMap(({ tags }) => tags).toSorted()).toEqual(described);
    expect([...new Set(operations.flatMap(({ tags }) => tags))].toSorted()).toEqual(described);
  });

  test("name the codes of their errors", () => {
    const descriptions = operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { description }]) => (status < "400" ? [] : description)),
    );
    expect(descriptions.filter((text) => !/^Refused: `\w+`(, `\w+`)*$/.test(text))).toEqual([]);
    expect(document.paths["/v2/user/{user_id}"]?.get?.responses[404]?.description).toBe("Refused: `user_not_found`");
  });

  test("declare exactly the variables of their path, and no parameter twice", () => {
    for (const { path, parameters } of operations) {
      const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect(inPath.map(({ name }) => name).toSorted(), path).toEqual(variables.toSorted());
      expect(
        inPath.every(({ required }) => required),
        path,
      ).toBe(true);
      const names = parameters.map(({ name, in: where }) => `${where} ${name}`);
      expect([...new Set(names)], path).toEqual(names);
    }
  });

  test.each(["users", "link", "providers", "timeseries"])("of %s have v2 in their paths [versioning-02]", (tag) => {
    // Logos are images, which have no version.
    const paths = operations.filter(({ tags, path }) => tags.includes(tag) && !path.startsWith("/logos/"));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.map(({ path }) => path).filter((path) => !path.startsWith("/v2/"))).toEqual([]);
  });

  test("document that a client_user_id must not be personal data [user-fields-10]", () => {
    const sent = operations.flatMap(({ parameters, requestBody }) => [
      ...parameters.filter(({ name }) => name === "client_user_id").map(({ schema }) => schema),
      ...objectsIn(requestBody).flatMap(({ properties }) => (properties as Json | undefined)?.client_user_id ?? []),
    ]);
    expect(sent.length).toBeGreaterThan(2);
    for (const one of sent) expect(JSON.stringify(one)).toContain("Do not use personal data");
  });

  test("name declared security schemes, and document 401 if they need one", () => {
    for (const { path, security, responses } of operations) {
      const names = security.flatMap((one) => Object.keys(one));
      expect(
        names.filter((name) => !(name in document.components.securitySchemes)),
        path,
      ).toEqual([]);
      if (names.length > 0) expect(responses, path).toHaveProperty("401");
    }
  });

  test("have one success response, and the common error shape for all others", () => {
    const common = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
    const ofFhir = { "application/fhir+json": { schema: { $ref: "#/components/schemas/OperationOutcome" } } };
    for (const { path, responses } of operations) {
      const error = path.startsWith("/fhir/") ? ofFhir : common;
      const statuses = Object.keys(responses);
      expect(
        statuses.filter((status) => status.startsWith("2")),
        path,
      ).toHaveLength(1);
      const refused = Object.entries(responses).filter(([status]) => !status.startsWith("2"));
      expect(
        refused.map(([, { content }]) => content),
        path,
      ).toEqual(refused.map(() => error));
    }
  });
});

describe("webhooks of the OpenAPI document", () => {
  const narrowed = z.object({ properties: z.object({ event_type: z.unknown(), data: schema }) });
  const body = z.object({ allOf: z.tuple([reference, narrowed]) });
  const bodies = Object.entries(document.webhooks).map(([type, { post }]) => {
    const [{ $ref }, { properties }] = body.parse(post.requestBody.content["application/json"].schema).allOf;
    return { type, $ref, properties };
  });

  test("are the types of the catalogue, each with its name in its body", () => {
    expect(bodies.map(({ type }) => type)).toEqual(catalogue.map(({ type }) => type));
    expect(bodies.map(({ properties }) => properties.event_type)).toEqual(bodies.map(({ type }) => ({ const: type })));
  });

  test("name a user at the top level, except for reviews", () => {
    const ofTeam = bodies.filter(({ $ref }) => !JSON.stringify(resolve($ref)).includes('"client_user_id"'));
    expect(ofTeam.map(({ type }) => type)).toEqual(["labtest.match_review.created", "labtest.match_review.updated"]);
  });

  test("share their payloads, so that each adds little to the document [events-03]", () => {
    const payloads = new Set(bodies.map(({ properties }) => JSON.stringify(properties.data)));
    expect(payloads.size).toBeLessThan(bodies.length / 2);
    expect(JSON.stringify(document.webhooks).length / bodies.length).toBeLessThan(560);
    expect(JSON.stringify(resolve("#/components/schemas/StepsSamples"))).toContain("#/components/schemas/Sample");
    expect(JSON.stringify(resolve("#/components/schemas/HeartrateSamples"))).toContain("#/components/schemas/Sample");
  });
});

describe("schemas of the OpenAPI document", () => {
  const references = objectsIn(document).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));

  test("reference only existing schemas", () => {
    expect(references.length).toBeGreaterThan(0);
    expect([...new Set(references)].filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  test("have content under each name", () => {
    const { schemas } = document.components;
    expect(Object.keys(schemas).filter((name) => !schemas[name]?.type && !schemas[name]?.anyOf)).toEqual([]);
  });

  test("are all used", () => {
    const used = new Set(references.map((reference) => reference.split("/").at(-1)));
    expect(Object.keys(document.components.schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  test("have valid examples", () => {
    const withExamples = objectsIn(document).filter(({ examples }) => Array.isArray(examples));
    expect(withExamples.length).toBeGreaterThan(0);
    for (const { examples, ...rest } of withExamples) {
      const read = z.fromJSONSchema(rest);
      for (const example of examples as unknown[]) expect(read.safeParse(example).success, String(example)).toBe(true);
    }
  });

  test("document the values of open enums and accept others [versioning-04]", () => {
    const open = objectsIn(document).filter((one) => Array.isArray(one["x-known-values"]));
    expect(open.length).toBeGreaterThan(0);
    for (const one of open) expect(z.fromJSONSchema(one).safeParse("a value of next year").success).toBe(true);
  });
});
