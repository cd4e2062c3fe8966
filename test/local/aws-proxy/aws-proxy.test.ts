import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { SFNClient, StartExecutionCommand, StopExecutionCommand } from "@aws-sdk/client-sfn";
import { QueueDoesNotExist, SendMessageBatchCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { GetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AwsProxy } from "../../../lib/local/aws-proxy/aws-proxy.ts";
import { LOCAL_CALLER } from "../../../lib/local/aws-proxy/aws-request.ts";
import { ProxyWithEngines, sendAs } from "./proxy-with-engines.ts";

let cloud: ProxyWithEngines;
beforeAll(async () => {
  cloud = await ProxyWithEngines.start();
});
afterAll(() => cloud.stop());
beforeEach(() => cloud.reset());

describe("policies", () => {
  test("permit a granted call, and the observer learns the used grant", async () => {
    await cloud.put("user#1");
    expect(cloud.used).toEqual([`${cloud.putUser} dynamodb:PutItem ${cloud.table.arn}`]);
  });

  test("deny other calls with the AccessDenied message of AWS", async () => {
    const get = cloud.documents.send(new GetCommand({ TableName: cloud.table.name, Key: { pk: "key#1", sk: "user" } }));
    await expect(get).rejects.toMatchObject({
      name: "AccessDeniedException",
      message: `User: ${cloud.putUser} is not authorized to perform: dynamodb:GetItem on resource: ${cloud.table.arn}`,
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
    expect(cloud.used).toEqual([]);
  });

  test("treat an index as a separate resource, limited by its own partition key", async () => {
    await cloud.put("user#1");
    const { Items } = await cloud.query("team = :key", "by_team");
    expect(Items).toEqual([{ pk: "user#1", sk: "user", team: "team#1" }]);
    expect(cloud.used.at(-1)).toBe(`${cloud.putUser} dynamodb:Query ${cloud.table.arn}/index/by_team`);
  });

  test("deny a transaction with one denied element as a whole", async () => {
    const Put = (pk: string) => ({ Put: { TableName: cloud.table.name, Item: cloud.item(pk) } });
    const transact = (...keys: string[]) =>
      cloud.documents.send(new TransactWriteCommand({ TransactItems: keys.map(Put) }));
    await expect(transact("user#t1", "key#t1")).rejects.toThrow("dynamodb:PutItem");
    const one = new GetCommand({ TableName: cloud.table.name, Key: { pk: "user#t1", sk: "user" } });
    expect((await cloud.documents.send(one)).Item).toBeUndefined();
    await transact("user#t1", "user#t2");
    expect((await cloud.documents.send(one)).Item).toMatchObject({ pk: "user#t1" });
  });

  test("deny a request without a caller", async () => {
    await expect(new DynamoDBClient().send(new ListTablesCommand())).rejects.toThrow("has no identity");
    await expect(new S3Client().send(new HeadObjectCommand({ Bucket: "b", Key: "k" }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
  });

  test("deny a caller without the key of this start, whatever its name", async () => {
    for (const caller of [cloud.putUser, LOCAL_CALLER]) {
      for (const key of ["", "local", cloud.front.callerKey.slice(1)]) {
        const listing = sendAs(caller, new DynamoDBClient(), key).send(new ListTablesCommand());
        await expect(listing).rejects.toThrow("has no identity");
        const Bucket = cloud.resource("AWS::S3::Bucket").name;
        const reading = sendAs(caller, new S3Client(), key).send(new HeadObjectCommand({ Bucket, Key: "k" }));
        await expect(reading).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
      }
    }
    expect(cloud.used).toEqual([]);
  });

  test("deny all calls of an unknown function and of one without grants", async () => {
    for (const caller of ["stranger", "idle-function"]) {
      const queue = sendAs(caller, new SQSClient());
      const sent = queue.send(
        new SendMessageCommand({ QueueUrl: cloud.resource("AWS::SQS::Queue").ref, MessageBody: "x" }),
      );
      await expect(sent).rejects.toMatchObject({ name: "AccessDeniedException" });
    }
    expect(cloud.reached).toEqual([]);
  });
});

describe("behind the proxy", () => {
  test("each SDK client reaches its engine through the same origin", async () => {
    const QueueUrl = cloud.resource("AWS::SQS::Queue").ref;
    const queue = sendAs(cloud.putUser, new SQSClient());
    await queue.send(new SendMessageCommand({ QueueUrl, MessageBody: "x" }));
    const Entries = [{ Id: "1", MessageBody: "x" }];
    await queue.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    const event = { EventBusName: cloud.resource("AWS::Events::EventBus").name, Source: "sample", Detail: "{}" };
    await sendAs(cloud.putUser, new EventBridgeClient()).send(new PutEventsCommand({ Entries: [event] }));
    const stateMachineArn = cloud.resource("AWS::StepFunctions::StateMachine").arn;
    await sendAs(cloud.putUser, new SFNClient()).send(new StartExecutionCommand({ stateMachineArn }));
    const key = { KeyId: "alias/secrets", KeySpec: "AES_256" } as const;
    expect(await sendAs(cloud.putUser, new KMSClient()).send(new GenerateDataKeyCommand(key))).toMatchObject({
      KeyId: "key",
    });
    const operations = ["SendMessage", "SendMessageBatch", "PutEvents", "StartExecution", "GenerateDataKey"];
    expect(cloud.reached).toEqual(operations);
    expect(cloud.used.map((line) => line.split(" ")[1])).toEqual([
      "sqs:SendMessage",
      "sqs:SendMessage",
      "events:PutEvents",
      "states:StartExecution",
      "kms:GenerateDataKey",
    ]);
  });

  test("an action outside of the granted pattern is denied", async () => {
    const executionArn = "arn:aws:states:eu-central-1:000000000000:execution:m:e";
    const stop = sendAs(cloud.putUser, new SFNClient()).send(new StopExecutionCommand({ executionArn }));
    await expect(stop).rejects.toThrow("states:StopExecution");
  });

  test("objects keep their bytes and metadata, and a denied object returns 403 in XML", async () => {
    const Bucket = cloud.resource("AWS::S3::Bucket").name;
    const storage = sendAs(cloud.putUser, new S3Client());
    const Body = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
    await storage.send(new PutObjectCommand({ Bucket, Key: "a/b c.bin", Body, Metadata: { kind: "batch" } }));
    const { Metadata, ...object } = await storage.send(new GetObjectCommand({ Bucket, Key: "a/b c.bin" }));
    expect(Buffer.from((await object.Body?.transformToByteArray()) ?? []).equals(Body)).toBe(true);
    expect(Metadata).toEqual({ kind: "batch" });
    const head = await storage.send(new HeadObjectCommand({ Bucket, Key: "a/b c.bin" }));
    expect(head.ContentLength).toBe(100_000);
    await expect(storage.send(new GetObjectCommand({ Bucket: "other", Key: "k" }))).rejects.toMatchObject({
      name: "AccessDenied",
      message: `User: ${cloud.putUser} is not authorized to perform: s3:GetObject on resource: arn:aws:s3:::other/k`,
      $metadata: { httpStatusCode: 403 },
    });
    expect(cloud.meter.snapshot().buckets[Bucket]).toEqual({
      PUT: { requests: 1 },
      GET: { requests: 1 },
      HEAD: { requests: 1 },
    });
  });

  test("an engine's error reaches the client as its own error class", async () => {
    const QueueUrl = cloud.resource("AWS::SQS::Queue").ref;
    const sent = sendAs(cloud.putUser, new SQSClient()).send(new SendMessageCommand({ QueueUrl, MessageBody: "lost" }));
    await expect(sent).rejects.toBeInstanceOf(QueueDoesNotExist);
  });

  test("a proxy that is not ready returns 503, and a used port is refused", async () => {
    const waiting = await AwsProxy.listen(0);
    const client = new DynamoDBClient({ endpoint: waiting.origin, maxAttempts: 1 });
    await expect(sendAs(LOCAL_CALLER, client, waiting.callerKey).send(new ListTablesCommand())).rejects.toMatchObject({
      name: "ServiceUnavailable",
      $metadata: { httpStatusCode: 503 },
    });
    await expect(AwsProxy.listen(Number(new URL(waiting.origin).port))).rejects.toMatchObject({ code: "EADDRINUSE" });
    await waiting.close();
  });
});
