import * as z from "zod";
import type { TokenResponse } from "./connector.ts";
import { jsonTextSchema } from "./json-text.ts";
import { readStrictly } from "./provider-client.ts";

const withIdToken = z.object({ id_token: z.string() });
const claims = jsonTextSchema(z.object({ sub: z.string().min(1) }));

/** The subject of the ID token of a token response, whose claims oauth.ts has checked. @throws ProviderUnavailable. */
export function readSubject(reply: TokenResponse): string {
  const [, payload = ""] = readStrictly(reply, withIdToken).id_token.split(".");
  return readStrictly(Buffer.from(payload, "base64url").toString(), claims).sub;
}
