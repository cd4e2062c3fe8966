import { expect, test } from "vitest";
import type { Table } from "../../../lib/store/table.ts";
import { EndpointQuotaStore } from "../../../lib/store/webhooks/endpoint-quotas.ts";

/** The host counter of an endpoint with this URL. */
function placeOf(url: string): string | undefined {
  const store = new EndpointQuotaStore({ name: "table" } as Table);
  return store.reserveItem({ team_id: "team", endpoint_id: "endpoint", url }).Update?.ExpressionAttributeNames?.[
    "#host"
  ];
}

test.each([
  ["https://example.com/a", "https://EXAMPLE.com:443/b?c=d#e"],
  ["https://example.com", "https://example.com."],
  ["https://example.com:8443", "https://example.com.:8443/"],
  ["https://me:secret@example.com", "https://example.com"],
  ["https://1.1.1.1", "https://0x1010101"],
])("%s counts towards the host of %s", (one, other) => expect(placeOf(one)).toBe(placeOf(other)));

test.each([
  ["https://example.com", "https://example.com:8443"],
  ["https://example.com", "https://a.example.com"],
])("%s counts towards another host than %s", (one, other) => expect(placeOf(one)).not.toBe(placeOf(other)));
