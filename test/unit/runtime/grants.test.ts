import { describe, expect, test } from "vitest";
import { decryptDataKey, generateDataKey, getItem, grants, putItem, queryItems } from "../../../lib/contract/access.ts";
import { credentialsKey, orders, users } from "../../../lib/contract/resources.ts";

describe("grants", () => {
  test("contain each grant of all bundles once, at its first place", () => {
    const bundle = [getItem(orders), putItem(orders), getItem(users)] as const;
    const composed = grants(getItem(users), bundle, [putItem(orders), putItem(users)]);
    expect(composed).toEqual([getItem(users), getItem(orders), putItem(orders), putItem(users)]);
  });

  test("of a table and of its index are different", () => {
    const all = [queryItems(orders), queryItems(orders, "team_orders")];
    expect(grants(all, queryItems(orders, "team_orders"))).toEqual(all);
  });

  test("of one action on a key become one grant with all purposes", () => {
    const composed = grants(
      [decryptDataKey(credentialsKey, "connection"), generateDataKey(credentialsKey, "connection")],
      decryptDataKey(credentialsKey, "custom_credentials"),
      decryptDataKey(credentialsKey, "connection"),
    );
    expect(composed).toEqual([
      decryptDataKey(credentialsKey, "connection", "custom_credentials"),
      generateDataKey(credentialsKey, "connection"),
    ]);
  });
});
