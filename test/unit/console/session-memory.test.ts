import { expect, test } from "vitest";
import { createSessionStore, keepMemoryOf, presentSession } from "../../../web/console/api/session-memory.ts";

test("a store of a session is empty after its end, and once another session begins", () => {
  const store = createSessionStore(() => new Map<string, string>());
  let changes = 0;
  store.subscribe(() => changes++);
  keepMemoryOf("one");
  store.set(new Map([["user", "support"]]));
  keepMemoryOf("one");
  expect([...store.get().keys()]).toEqual(["user"]);
  keepMemoryOf("other");
  expect([presentSession(), store.get().size]).toEqual(["other", 0]);
  store.set(new Map([["user", "legal"]]));
  const before = changes;
  keepMemoryOf(null);
  expect([presentSession(), store.get().size, changes - before]).toEqual([null, 0, 1]);
});
