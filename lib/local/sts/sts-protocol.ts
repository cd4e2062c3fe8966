import * as z from "zod";
import { AwsError, type AwsResponse } from "../aws-proxy/aws-error.ts";
import type { RoleSession } from "./role-sessions.ts";

const TAG = /^Tags\.member\.(\d+)\.(Key|Value)$/;
/** Keys and values of tags (AWS STS API Reference, "Tag"). They contain no wildcard. */
const tagText = z.string().regex(/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u);

/** A parsed AssumeRole request. The limits are those of the AWS STS API Reference, "AssumeRole". */
const assumeRoleRequest = z.object({
  Version: z.literal("2011-06-15"),
  RoleArn: z.string().min(20),
  RoleSessionName: z.string().regex(/^[\w+=,.@-]{2,64}$/),
  /** The caller is itself an assumed role, so the session lasts an hour at most. */
  DurationSeconds: z.coerce.number().int().min(900).max(3_600).default(3_600),
  Tags: z.record(tagText, tagText),
});

/** Parses the form of an AssumeRole request. @throws AwsError for an invalid one. */
export function parseAssumeRole(body: Readonly<Record<string, unknown>>) {
  const texts = Object.entries(body).map(([name, value]) => [name, String(value)] as const);
  const members = new Map<string, { Key?: string; Value?: string }>();
  for (const [name, value] of texts) {
    const [, place = "", part] = TAG.exec(name) ?? [];
    if (part) members.set(place, { ...members.get(place), [part]: value });
  }
  const Tags = Object.fromEntries([...members.values()].map(({ Key = "", Value = "" }) => [Key, Value]));
  const { success, data, error } = assumeRoleRequest.safeParse({ ...Object.fromEntries(texts), Tags });
  if (!success) throw new AwsError(400, "ValidationError", z.prettifyError(error));
  return data;
}

/** The response to AssumeRole (AWS STS API Reference, "AssumeRole", "Response elements"). */
export function toAssumeRoleResponse(session: RoleSession): AwsResponse {
  const { accessKeyId, secretAccessKey, sessionToken, expiresAtMs } = session;
  return xml(
    200,
    `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleResult>
    <Credentials>
      <AccessKeyId>${accessKeyId}</AccessKeyId>
      <SecretAccessKey>${secretAccessKey}</SecretAccessKey>
      <SessionToken>${sessionToken}</SessionToken>
      <Expiration>${new Date(expiresAtMs).toISOString()}</Expiration>
    </Credentials>
  </AssumeRoleResult>
</AssumeRoleResponse>`,
  );
}

/** An error response of the query protocol (Smithy specification, "AWS query protocol"). */
export function toQueryErrorResponse({ status, type, message }: AwsError): AwsResponse {
  const escaped = message.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
  const fault = status < 500 ? "Sender" : "Receiver";
  return xml(
    status,
    `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <Error><Type>${fault}</Type><Code>${type}</Code><Message>${escaped}</Message></Error>
</ErrorResponse>`,
  );
}

const xml = (status: number, body: string): AwsResponse => ({
  status,
  headers: { "content-type": "text/xml" },
  body: Buffer.from(body),
});
