import { createHmac } from "node:crypto";

/** A session of somebody who signed in: it says itself whose it is, under a signature, so nothing has to be kept. */
export function sealSession(provider: string, name: string): string {
  const content = Buffer.from(JSON.stringify([provider, name])).toString("base64url");
  return `${content}.${signature(content)}`;
}

/** The name of who signed in at a provider; undefined for what is no session there. */
export function nameOfSession(provider: string, session: string): string | undefined {
  const [content = "", signed] = session.split(".");
  if (signed !== signature(content)) return undefined;
  const [where, name] = JSON.parse(Buffer.from(content, "base64url").toString("utf8")) as [string, string];
  return where === provider ? name : undefined;
}

/** Keeps sessions from being made up; the secret is public, as is everything in a simulator. */
function signature(content: string): string {
  return createHmac("sha256", "simulated session").update(content).digest("base64url").slice(0, 22);
}
