import { expect, test } from "vitest";
import { itemSize } from "../../../lib/local/aws-proxy/item-size.ts";
import { Meter } from "../../../lib/local/aws-proxy/meter.ts";

test("the meter counts per function and in total, and a request over two tables once in the total", () => {
  const meter = new Meter(() => 0);
  const resources = new Map([
    ["users", { read: 0, write: 4 }],
    ["events", { read: 0, write: 2 }],
  ]);
  meter.record({ caller: "put-user", service: "dynamodb", operation: "TransactWriteItems", resources });
  meter.record({ caller: "relay", service: "sqs", operation: "SendMessage", resources: new Map([["q", undefined]]) });
  const tables = {
    users: { TransactWriteItems: { requests: 1, read_units: 0, write_units: 4 } },
    events: { TransactWriteItems: { requests: 1, read_units: 0, write_units: 2 } },
  };
  const queues = { q: { SendMessage: { requests: 1 } } };
  const none = { buses: {}, buckets: {}, keys: {}, roles: {}, secrets: {}, state_machines: {} };
  expect(meter.snapshot()).toEqual({
    since: "1970-01-01T00:00:00.000Z",
    total: { requests: 2, read_units: 0, write_units: 6 },
    ...none,
    tables,
    queues,
    functions: {
      "put-user": { total: { requests: 1, read_units: 0, write_units: 6 }, ...none, tables, queues: {} },
      relay: { total: { requests: 1, read_units: 0, write_units: 0 }, ...none, tables: {}, queues },
    },
  });
});

test("the meter restarts at a reset, and snapshots do not change", () => {
  let now = 0;
  const meter = new Meter(() => now);
  const call = {
    caller: "f",
    service: "events",
    operation: "PutEvents",
    resources: new Map([["b", undefined]]),
  } as const;
  meter.record(call);
  const before = meter.snapshot();
  meter.record(call);
  expect(before.buses).toEqual({ b: { PutEvents: { requests: 1 } } });
  expect(meter.snapshot().buses).toEqual({ b: { PutEvents: { requests: 2 } } });
  now = 60_000;
  meter.reset();
  expect(meter.snapshot()).toMatchObject({ since: "1970-01-01T00:01:00.000Z", total: { requests: 0 }, functions: {} });
});

test.each<[Record<string, unknown>, number]>([
  [{ pk: { S: "abc" } }, 5],
  [{ ü: { S: "é" } }, 4],
  [{ n: { N: "-12.5" } }, 4],
  [{ b: { B: Buffer.alloc(300).toString("base64") } }, 301],
  [{ t: { BOOL: true }, z: { NULL: true } }, 4],
  [{ l: { L: [{ S: "ab" }, { N: "1" }] } }, 1 + 3 + 3 + 3],
  [{ m: { M: { a: { S: "x" } } } }, 1 + 3 + 1 + 2],
  [{ s: { SS: ["ab", "c"] } }, 4],
])("the size of %j is %d bytes", (item, size) => {
  expect(itemSize(item)).toBe(size);
});
