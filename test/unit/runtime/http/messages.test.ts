import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { toValueSchema, type ValueSchema } from "../../../../lib/domain/shared/value-schema.ts";
import { type ErrorLocation, ValidationFailed } from "../../../../lib/runtime/errors.ts";
import { parseRequest } from "../../../../lib/runtime/http/request.ts";

/** Text and digits that no message of the service contains. */
const CANARY = "xyzzy47110815";
const faults: readonly unknown[] = [
  null,
  CANARY,
  471_108_150_815,
  -4711.0815,
  true,
  [CANARY],
  { [`k${CANARY}`]: 1 },
  "",
];

/** Every path of a schema, to a depth at which requests end. */
function pathsIn(schema: ValueSchema, depth = 5): string[][] {
  if (depth === 0) return [];
  const options = schema.anyOf ?? [schema];
  return options.flatMap(({ properties = {}, items, additionalProperties }) => [
    ...Object.entries(properties).flatMap(([name, inner]) => [[name], ...within(name, inner, depth)]),
    ...(items ? within("0", items, depth) : []),
    ...(typeof additionalProperties === "object" ? within("any", additionalProperties, depth) : []),
  ]);
}
const within = (name: string, inner: ValueSchema, depth: number) =>
  pathsIn(inner, depth - 1).map((path) => [name, ...path]);

/** A body with one value at a path. */
const bodyWith = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => (name === "0" ? [inner] : { [name]: inner }), value);

function refusedAt(contract: (typeof endpoints)[number], event: object): readonly ErrorLocation[] {
  try {
    parseRequest(contract, { rawQueryString: "", headers: {}, ...event } as APIGatewayProxyEventV2);
    return [];
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    return error.detail as readonly ErrorLocation[];
  }
}

const named = endpoints.map((contract) => [contract.operationId, contract] as const);

test.each(named)("the refusal of a value of %s states what is expected, and not the value", (_, contract) => {
  const bodies = contract.body && !contract.mediaTypes ? pathsIn(toValueSchema(contract.body)) : [];
  const names = Object.keys(contract.query.shape);
  const requests = [
    ...[[], ...bodies].flatMap((path) => faults.map((value) => ({ body: JSON.stringify(bodyWith(path, value)) }))),
    ...names.map((name) => ({ rawQueryString: new URLSearchParams({ [name]: CANARY }).toString() })),
    { pathParameters: Object.fromEntries(Object.keys(contract.params.shape).map((name) => [name, `${CANARY}/`])) },
  ];
  for (const request of requests)
    for (const { loc, msg } of refusedAt(contract, request)) {
      const place = `${contract.operationId} ${loc.join(".")}: ${msg}`;
      expect(msg, place).toMatch(/.{5}/);
      expect(msg, place).not.toMatch(/^Invalid input$/);
      for (const secret of [CANARY, "xyzzy", "4711"]) expect(msg, place).not.toContain(secret);
    }
});
