import { createHmac } from "node:crypto";

/** Creates a session token: self-contained and signed, so the simulator stores no sessions. */
export function createSessionToken(provider: string, name: string): string {
  const content = Buffer.from(JSON.stringify([provider, name])).toString("base64url");
  return `${content}.${sign(content)}`;
}

/** Verifies a session token and returns the user name; undefined for an invalid token of the provider. */
export function verifySessionToken(provider: string, session: string): string | undefined {
  const [content = "", signed] = session.split(".");
  if (signed !== sign(content)) return undefined;
  const [where, name] = JSON.parse(Buffer.from(content, "base64url").toString("utf8")) as [string, string];
  return where === provider ? name : undefined;
}

/** Signs the content of a session token. The key is public, like all secrets of the simulators. */
function sign(content: string): string {
  return createHmac("sha256", "simulated session").update(content).digest("base64url").slice(0, 22);
}
