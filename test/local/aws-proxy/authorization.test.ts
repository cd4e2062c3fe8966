import { describe, expect, test } from "vitest";
import { authorize, requiredPermissions } from "../../../lib/local/aws-proxy/authorization.ts";
import type { AwsRequest, AwsService } from "../../../lib/local/aws-proxy/aws-request.ts";
import { parseConditions } from "../../../lib/local/aws-proxy/conditions.ts";
import type { Statement } from "../../../lib/local/aws-proxy/policy.ts";
import type { ResourceIndex } from "../../../lib/local/aws-proxy/resource-index.ts";

const users = "arn:aws:dynamodb:eu:0:table/users";
const secretArn = "arn:aws:secretsmanager:eu:0:secret:stage/apps";
const keyArn = "arn:aws:kms:eu:0:key/k";
const catalogue: ResourceIndex = {
  region: "eu",
  account: "0",
  tables: new Map([
    ["users", { arn: users, partitionKey: "pk", indexes: new Map([["by_team", "team"]]) }],
    ["counts", { arn: "arn:aws:dynamodb:eu:0:table/counts", partitionKey: "n", indexes: new Map() }],
  ]),
  keyArns: new Map(["k", keyArn, "alias/main"].map((name) => [name, keyArn])),
  secretArns: new Map([["stage/apps", secretArn]]),
};

function permissions(service: AwsService, operation: string, body: object, rest: Partial<AwsRequest> = {}) {
  const request = {
    service,
    operation,
    body: { ...body },
    method: "POST",
    path: "/",
    headers: {},
    raw: Buffer.alloc(0),
  };
  return requiredPermissions({ ...request, ...rest }, catalogue).map(({ action, resource, leadingKeys }) =>
    [action, resource.replace(/^arn:aws:/, ""), ...(leadingKeys ? [leadingKeys.join()] : [])].join(" "),
  );
}

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "x" } });
const on = { TableName: "users" };
const table = "dynamodb:eu:0:table/users";

describe("DynamoDB", () => {
  const values = { ExpressionAttributeValues: { ":p": { S: "u1" }, ":s": { S: "x" } } };
  const names = { ExpressionAttributeNames: { "#k": "pk", "#s": "sk" } };
  test.each<[string, object, string[]]>([
    ["GetItem", { ...on, Key: key("u1") }, [`dynamodb:GetItem ${table} u1`]],
    ["GetItem", { TableName: users, Key: key("u1") }, [`dynamodb:GetItem ${table} u1`]],
    ["GetItem", { TableName: "counts", Key: { n: { N: "7" } } }, ["dynamodb:GetItem dynamodb:eu:0:table/counts 7"]],
    ["PutItem", { ...on, Item: { ...key("u1"), v: { N: "1" } } }, [`dynamodb:PutItem ${table} u1`]],
    ["UpdateItem", { ...on, Key: key("u1") }, [`dynamodb:UpdateItem ${table} u1`]],
    ["DeleteItem", { ...on, Key: key("u1") }, [`dynamodb:DeleteItem ${table} u1`]],
    ["Query", { ...on, ...values, KeyConditionExpression: "pk = :p" }, [`dynamodb:Query ${table} u1`]],
    ["Query", { ...on, ...values, KeyConditionExpression: "(:p=pk) AND sk <= :s" }, [`dynamodb:Query ${table} u1`]],
    [
      "Query",
      { ...on, ...values, ...names, KeyConditionExpression: "#s = :s AND #k = :p" },
      [`dynamodb:Query ${table} u1`],
    ],
    [
      "Query",
      { ...on, ...values, IndexName: "by_team", KeyConditionExpression: "team = :p" },
      [`dynamodb:Query ${table}/index/by_team u1`],
    ],
    ["Scan", on, [`dynamodb:Scan ${table}`]],
    ["Scan", { ...on, IndexName: "by_team" }, [`dynamodb:Scan ${table}/index/by_team`]],
    ["DescribeTable", on, [`dynamodb:DescribeTable ${table}`]],
    [
      "BatchGetItem",
      { RequestItems: { users: { Keys: [key("u1"), key("u2")] } } },
      [`dynamodb:BatchGetItem ${table} u1,u2`],
    ],
    [
      "BatchWriteItem",
      { RequestItems: { users: [{ PutRequest: { Item: key("u1") } }, { DeleteRequest: { Key: key("u2") } }] } },
      [`dynamodb:BatchWriteItem ${table} u1,u2`],
    ],
    [
      "BatchExecuteStatement",
      {
        Statements: ["u1", "u2"].map((id) => ({
          Statement: `INSERT INTO "users" VALUE {'n': ?, 'pk': ?}`,
          Parameters: [{ N: "1" }, key(id).pk],
        })),
      },
      [`dynamodb:PartiQLInsert ${table} u1,u2`],
    ],
    [
      "TransactWriteItems",
      {
        TransactItems: [
          { Put: { ...on, Item: key("u1") } },
          { Update: { ...on, Key: key("u2") } },
          { Delete: { ...on, Key: key("u3") } },
          { ConditionCheck: { ...on, Key: key("u4") } },
        ],
      },
      [
        `dynamodb:PutItem ${table} u1`,
        `dynamodb:UpdateItem ${table} u2`,
        `dynamodb:DeleteItem ${table} u3`,
        `dynamodb:ConditionCheckItem ${table} u4`,
      ],
    ],
    ["TransactGetItems", { TransactItems: [{ Get: { ...on, Key: key("u1") } }] }, [`dynamodb:GetItem ${table} u1`]],
    [
      "TransactWriteItems",
      {
        TransactItems: [
          { Put: { ...on, Item: key("u1") } },
          { Update: { TableName: "counts", Key: { n: { N: "7" } } } },
        ],
      },
      [`dynamodb:PutItem ${table} u1`, "dynamodb:UpdateItem dynamodb:eu:0:table/counts 7"],
    ],
  ])("%s requires permissions: %j", (operation, body, expected) => {
    expect(permissions("dynamodb", operation, body)).toEqual(expected);
  });

  test.each<[string, string, object, string]>([
    ["an unknown operation", "ExecuteStatement", { Statement: "DELETE FROM users" }, "ExecuteStatement"],
    ["an unknown table", "GetItem", { TableName: "other", Key: key("u1") }, "the templates have no table other"],
    ["an unknown index", "Query", { ...on, IndexName: "i", KeyConditionExpression: "a = :p" }, "has no index i"],
    ["a key of another name", "GetItem", { ...on, Key: { id: { S: "1" } } }, "pk is missing"],
    ["a query without the partition key", "Query", { ...on, ...values, KeyConditionExpression: "sk = :s" }, "key pk"],
    ["a query on a range of it", "Query", { ...on, ...values, KeyConditionExpression: "pk >= :p" }, "key pk"],
    [
      "a read of two tables in one request",
      "BatchGetItem",
      { RequestItems: { users: { Keys: [key("u1")] }, counts: { Keys: [{ n: { N: "1" } }] } } },
      "BatchGetItem has 2 tables",
    ],
    [
      "a non-transactional write to two tables",
      "BatchWriteItem",
      {
        RequestItems: {
          users: [{ DeleteRequest: { Key: key("u1") } }],
          counts: [{ DeleteRequest: { Key: { n: { N: "1" } } } }],
        },
      },
      "BatchWriteItem has 2 tables",
    ],
    [
      "inserts into two tables in one request",
      "BatchExecuteStatement",
      {
        Statements: [
          { Statement: `INSERT INTO "users" VALUE {'pk': ?}`, Parameters: [key("u1").pk] },
          { Statement: `INSERT INTO "counts" VALUE {'n': ?}`, Parameters: [{ N: "1" }] },
        ],
      },
      "BatchExecuteStatement has 2 tables",
    ],
    ["a query in the legacy form", "Query", { ...on, KeyConditions: {} }, "KeyConditionExpression"],
  ])("refuses %s", (_, operation, body, message) => {
    expect(() => permissions("dynamodb", operation, body)).toThrow(message);
  });
});

describe("other services", () => {
  const machine = "arn:aws:states:eu:0:stateMachine:m";
  const execution = "arn:aws:states:eu:0:execution:m:e";
  const bus = "arn:aws:events:eu:0:event-bus/b";
  test.each<[AwsService, string, object, string[]]>([
    ["sqs", "SendMessage", { QueueUrl: "http://127.0.0.1:1/0/q" }, ["sqs:SendMessage sqs:eu:0:q"]],
    ["sqs", "SendMessageBatch", { QueueUrl: "http://127.0.0.1:1/0/q" }, ["sqs:SendMessage sqs:eu:0:q"]],
    ["sqs", "DeleteMessageBatch", { QueueUrl: "http://127.0.0.1:1/0/q" }, ["sqs:DeleteMessage sqs:eu:0:q"]],
    [
      "events",
      "PutEvents",
      { Entries: [{ EventBusName: "b" }, { EventBusName: bus }, {}] },
      ["events:PutEvents events:eu:0:event-bus/b", "events:PutEvents events:eu:0:event-bus/default"],
    ],
    ["states", "StartExecution", { stateMachineArn: machine }, ["states:StartExecution states:eu:0:stateMachine:m"]],
    ["states", "StopExecution", { executionArn: execution }, ["states:StopExecution states:eu:0:execution:m:e"]],
    [
      "states",
      "DescribeExecution",
      { executionArn: execution },
      ["states:DescribeExecution states:eu:0:execution:m:e"],
    ],
    ["kms", "GenerateDataKey", { KeyId: "k" }, ["kms:GenerateDataKey kms:eu:0:key/k"]],
    ["kms", "Decrypt", { KeyId: "alias/main" }, ["kms:Decrypt kms:eu:0:key/k"]],
    [
      "secretsmanager",
      "GetSecretValue",
      { SecretId: "stage/apps" },
      ["secretsmanager:GetSecretValue secretsmanager:eu:0:secret:stage/apps"],
    ],
    [
      "secretsmanager",
      "GetSecretValue",
      { SecretId: secretArn },
      ["secretsmanager:GetSecretValue secretsmanager:eu:0:secret:stage/apps"],
    ],
  ])("%s %s requires permissions: %j", (service, operation, body, expected) => {
    expect(permissions(service, operation, body)).toEqual(expected);
  });

  test("provides the encryption context for policy conditions", () => {
    const body = { KeyId: "k", EncryptionContext: { Purpose: "user-keys" } };
    const request = { service: "kms", operation: "Decrypt", body, method: "POST", path: "/", headers: {} } as const;
    const [needed] = requiredPermissions({ ...request, raw: Buffer.alloc(0) }, catalogue);
    if (!needed) throw new Error("nothing is needed");
    const allowing = (purpose: string): Statement => ({
      effect: "Allow",
      actions: ["kms:decrypt"],
      resources: [keyArn],
      conditions: parseConditions({ StringEquals: { "kms:EncryptionContext:purpose": [purpose] } }),
      expected: [purpose],
    });
    expect(() => authorize("reader", [allowing("user-keys")], [needed])).not.toThrow();
    expect(() => authorize("reader", [allowing("secrets")], [needed])).toThrow(
      "not authorized to perform: kms:Decrypt",
    );
    const { encryptionContext: _, ...without } = needed;
    expect(() => authorize("reader", [allowing("user-keys")], [without])).toThrow("not authorized");
  });

  test("refuses a key that is not in the templates", () => {
    expect(() => permissions("kms", "Decrypt", { KeyId: "other" })).toThrow("the key other does not exist");
  });

  test.each<[string, string, string]>([
    ["GET", "/bucket/some/key?x-id=GetObject", "s3:GetObject s3:::bucket/some/key"],
    ["HEAD", "/bucket/key", "s3:GetObject s3:::bucket/key"],
    ["PUT", "/bucket/a%20b?x-id=PutObject", "s3:PutObject s3:::bucket/a b"],
    ["DELETE", "/bucket/key", "s3:DeleteObject s3:::bucket/key"],
    ["GET", "/bucket/?list-type=2&prefix=a", "s3:ListBucket s3:::bucket"],
  ])("%s %s requires %s", (method, path, expected) => {
    expect(permissions("s3", method, {}, { method, path })).toEqual([expected]);
  });

  test.each<[string, string, Record<string, string>]>([
    ["PUT", "/bucket/key?acl", {}],
    ["POST", "/bucket?delete", {}],
    ["PUT", "/bucket", {}],
    ["GET", "/", {}],
    ["PUT", "/bucket/key", { "x-amz-copy-source": "/other/key" }],
  ])("refuses %s %s %j, whose permission is unknown", (method, path, headers) => {
    expect(() => permissions("s3", method, {}, { method, path, headers })).toThrow("does not support");
  });
});

describe("a listing with a granted prefix", () => {
  const bucket = "arn:aws:s3:::bucket";
  const conditions = parseConditions({ StringLike: { "s3:prefix": ["????/????/*"] } });
  const statement: Statement = {
    effect: "Allow",
    actions: ["s3:listbucket"],
    resources: [bucket],
    conditions,
    expected: [],
  };
  const lists = (path: string) => () => {
    const request = {
      service: "s3",
      operation: "GET",
      body: {},
      method: "GET",
      path,
      headers: {},
      raw: Buffer.alloc(0),
    };
    authorize("eraser", [statement], requiredPermissions(request as AwsRequest, catalogue));
  };

  test("is permitted below the prefix alone", () => {
    expect(lists("/bucket/?list-type=2&prefix=team%2Fuser%2F")).not.toThrow();
    expect(lists("/bucket/?list-type=2&prefix=team%2Fuser%2Fjob%2F")).not.toThrow();
    for (const query of [
      "",
      "?list-type=2",
      "?prefix=",
      "?prefix=team%2F",
      "?prefix=team%2Fuser",
      "?prefix=te%2Fuser%2F",
    ]) {
      expect(lists(`/bucket/${query}`), query).toThrow("is not authorized to perform: s3:ListBucket");
    }
  });
});
