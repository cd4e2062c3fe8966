import { expect, test } from "vitest";
import { signRequest } from "../../../../lib/runtime/aws/sign-request.ts";

/** The example of AWS's test suite for Signature Version 4 with the name `post-x-www-form-urlencoded`. */
const published = {
  url: new URL("https://example.amazonaws.com/"),
  contentType: "application/x-www-form-urlencoded",
  body: "Param1=value1",
  service: "service",
  region: "us-east-1",
  credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
  nowMs: Date.UTC(2015, 7, 30, 12, 36),
};

test("a request gets the signature that AWS publishes for it", () => {
  expect(signRequest(published)).toEqual({
    "content-type": "application/x-www-form-urlencoded",
    host: "example.amazonaws.com",
    "x-amz-date": "20150830T123600Z",
    authorization:
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, " +
      "SignedHeaders=content-type;host;x-amz-date, " +
      "Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
  });
});

test("a session token is a header, and part of what is signed", () => {
  const credentials = { ...published.credentials, sessionToken: "token" };
  const { authorization, ...headers } = signRequest({ ...published, credentials });
  expect(headers["x-amz-security-token"]).toBe("token");
  expect(authorization).toContain("SignedHeaders=content-type;host;x-amz-date;x-amz-security-token,");
  const other = signRequest({ ...published, credentials: { ...credentials, sessionToken: "other" } });
  expect(other.authorization).not.toBe(authorization);
});
