import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { teamRoleVariable } from "../../../../../lib/contract/team/team-role.ts";
import { CALLER_HEADER, CALLER_KEY_HEADER } from "../../../../../lib/local/aws-proxy/aws-request.ts";
import { signRequest } from "../../../../../lib/runtime/aws/sign-request.ts";
import { TestService } from "../../../../support/service.ts";
import { testSettings } from "../../../../support/test-settings.ts";
import { findFunctionName } from "../../support/stored-items.ts";

const [TEAM, OTHER] = ["0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"];

let service: TestService;
beforeAll(async () => {
  service = await TestService.start(undefined, testSettings.teamCredentials);
});
afterAll(() => service.stop());

const identityOf = (operationId: string) => ({
  [CALLER_HEADER]: findFunctionName(service, operationId),
  [CALLER_KEY_HEADER]: service.cloud.awsProxy.callerKey,
});

interface Assumption {
  readonly role?: string;
  readonly secret?: string;
  readonly parameters?: Readonly<Record<string, string | undefined>>;
}

const read = (xml: string, element: string) => new RegExp(`<${element}>([^<]+)<`).exec(xml)?.[1] ?? "";

/** Sends AssumeRole as a function. @returns the status, an error code and credentials. */
async function assume(operationId: string, { role = operationId, secret, parameters = {} }: Assumption = {}) {
  const fields = {
    ...{ Action: "AssumeRole", Version: "2011-06-15", RoleSessionName: "test", DurationSeconds: "900" },
    RoleArn: process.env[teamRoleVariable(role)] ?? "",
    ...{ "Tags.member.1.Key": "team_id", "Tags.member.1.Value": TEAM },
    ...parameters,
  };
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  const body = new URLSearchParams(given).toString();
  const { origin, secretAccessKey } = service.cloud.awsProxy;
  const { host: _, ...headers } = signRequest({
    ...{ url: new URL(origin), contentType: "application/x-www-form-urlencoded", body, service: "sts" },
    ...{ region: "us-east-1", nowMs: Date.UTC(2026, 4, 1) },
    credentials: { accessKeyId: "local", secretAccessKey: secret ?? secretAccessKey },
  });
  const response = await fetch(origin, { method: "POST", headers: { ...headers, ...identityOf(operationId) }, body });
  const xml = await response.text();
  const [accessKeyId, secretKey, sessionToken] = ["AccessKeyId", "SecretAccessKey", "SessionToken"].map((name) =>
    read(xml, name),
  );
  const credentials = {
    accessKeyId: accessKeyId ?? "",
    secretAccessKey: secretKey ?? "",
    sessionToken: sessionToken ?? "",
  };
  return { status: response.status, code: read(xml, "Code"), credentials };
}

type Send = (client: DynamoDBClient) => Promise<unknown>;

/** Sends a DynamoDB request as a function with credentials. @returns `allowed`, or the name of the error. */
async function send(operationId: string, credentials: { accessKeyId: string; secretAccessKey: string }, call: Send) {
  const { origin } = service.cloud.awsProxy;
  const client = new DynamoDBClient({ endpoint: origin, region: "us-east-1", credentials });
  client.middlewareStack.add(
    (next) => (sent) => {
      Object.assign((sent.request as { headers: object }).headers, identityOf(operationId));
      return next(sent);
    },
    { step: "build" },
  );
  const outcome = await call(client).then(
    () => "allowed",
    (error: Error) => error.name,
  );
  client.destroy();
  return outcome;
}

const directory = () => process.env.TABLE_DIRECTORY ?? "";
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "user" } });
const get =
  (pk: string): Send =>
  (client) =>
    client.send(new GetItemCommand({ TableName: directory(), Key: key(pk) }));

describe("a session for one team", () => {
  const asTeam = async (operationId: string, call: Send) =>
    send(operationId, (await assume(operationId)).credentials, call);

  test("reads items of the team, and no others", async () => {
    expect(await asTeam("getUser", get(`user#${TEAM}#u`))).toBe("allowed");
    expect(await asTeam("getUser", get(`user#${OTHER}#u`))).toBe("AccessDeniedException");
    expect(await asTeam("getUser", get("user#"))).toBe("AccessDeniedException");
    expect(await asTeam("getUser", get("key#k"))).toBe("AccessDeniedException");
  });

  test("reads no batch with an item of another team", async () => {
    const batch =
      (...teams: string[]): Send =>
      (client) => {
        const Keys = teams.map((team) => key(`user#${team}#u`));
        return client.send(new BatchGetItemCommand({ RequestItems: { [directory()]: { Keys } } }));
      };
    expect(await asTeam("listUsers", batch(TEAM))).toBe("allowed");
    expect(await asTeam("listUsers", batch(TEAM, OTHER))).toBe("AccessDeniedException");
  });

  test("queries partitions of the team, and no others, and scans nothing", async () => {
    const list =
      (team: string): Send =>
      (client) =>
        client.send(
          new QueryCommand({
            ...{ TableName: directory(), IndexName: "team_users", KeyConditionExpression: "team_users = :team" },
            ExpressionAttributeValues: { ":team": { S: `user#${team}` } },
          }),
        );
    expect(await asTeam("listUsers", list(TEAM))).toBe("allowed");
    expect(await asTeam("listUsers", list(OTHER))).toBe("AccessDeniedException");
    const scan: Send = (client) => client.send(new ScanCommand({ TableName: directory() }));
    expect(await asTeam("listUsers", scan)).toBe("AccessDeniedException");
  });

  test("commits no transaction with an item of another team", async () => {
    const write =
      (...teams: string[]): Send =>
      (client) => {
        const TransactItems = teams.map((team) => ({ Put: { TableName: directory(), Item: key(`user#${team}#new`) } }));
        return client.send(new TransactWriteItemsCommand({ TransactItems }));
      };
    expect(await asTeam("createUser", write(TEAM, OTHER))).toBe("AccessDeniedException");
    expect(await asTeam("createUser", write(TEAM))).toBe("allowed");
  });

  test("serves the function that assumed the role alone, with its secret and token, until it expires", async () => {
    const { credentials } = await assume("getUser");
    const item = get(`user#${TEAM}#u`);
    expect(await send("listUsers", credentials, item)).toBe("UnrecognizedClientException");
    expect(await send("getUser", { ...credentials, ...{ sessionToken: "other" } }, item)).toBe(
      "UnrecognizedClientException",
    );
    expect(await send("getUser", { ...credentials, accessKeyId: "ASIA0" }, item)).toBe("UnrecognizedClientException");
    expect(await send("getUser", { ...credentials, secretAccessKey: "x" }, item)).toBe("SignatureDoesNotMatch");
    expect(await send("getUser", credentials, item)).toBe("allowed");
    await service.advance(15 * 60_000);
    expect(await send("getUser", credentials, item)).toBe("ExpiredTokenException");
  });
});

describe("STS refuses to let a function assume", () => {
  test.each<[string, Assumption, [number, string]]>([
    ["the role of another function", { role: "listUsers" }, [403, "AccessDenied"]],
    ["an unknown role", { role: "nothing", parameters: { RoleArn: "arn:aws:iam::1:role/x" } }, [403, "AccessDenied"]],
    [
      "its role without a team",
      { parameters: { "Tags.member.1.Key": undefined, "Tags.member.1.Value": undefined } },
      [403, "AccessDenied"],
    ],
    ["its role for what is no id", { parameters: { "Tags.member.1.Value": "team" } }, [403, "AccessDenied"]],
    ["its role for a pattern", { parameters: { "Tags.member.1.Value": "*" } }, [400, "ValidationError"]],
    ["its role for two hours", { parameters: { DurationSeconds: "7200" } }, [400, "ValidationError"]],
    ["its role with a wrong signature", { secret: "wrong" }, [403, "SignatureDoesNotMatch"]],
  ])("%s", async (_, assumption, refusal) => {
    const { status, code, credentials } = await assume("getUser", assumption);
    expect([status, code, credentials.accessKeyId]).toEqual([...refusal, ""]);
  });
});
