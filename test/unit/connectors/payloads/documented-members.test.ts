import { expect, test } from "vitest";
import { type PublishedPayload, publishedPayloads } from "../../../examples/payloads/published-payload.ts";

/** A member with another name is an entry of a map. */
const MEMBER_NAME = /^[A-Za-z_][\w$-]*$/;

function* memberNames(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && MEMBER_NAME.test(name)) yield name;
    yield* memberNames(inner);
  }
}

/** Members that payloads contain to show that unknown ones change nothing. */
const INVENTED = ["aMemberOfTheFuture"];

const namesOf = ({ replies, push }: PublishedPayload) => [...memberNames(replies), ...memberNames(push)];

test("the documented members are those of the published payloads", async () => {
  const byProvider = Map.groupBy(publishedPayloads, ({ provider }) => provider);
  const lines = [...byProvider].map(([provider, payloads]) => {
    const names = new Set(payloads.flatMap(namesOf).filter((name) => !INVENTED.includes(name)));
    const always: Record<string, readonly string[]> = Object.assign({}, ...payloads.map((one) => one.always));
    return `${JSON.stringify(provider)}: ${JSON.stringify({ members: [...names].sort(), always })}`;
  });
  expect(lines.length).toBeGreaterThan(10);
  await expect(`{\n${lines.join(",\n")}\n}\n`).toMatchFileSnapshot(
    "../../../../data/connectors/documented-members.json",
  );
});
