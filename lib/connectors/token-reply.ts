import { isJsonObject } from "../domain/shared/json.ts";

/**
 * Converts a response of a token endpoint to the form of RFC 6749, section 5, as far as its JSON body states it:
 *
 * - An error in the body decides. Without it, a `WWW-Authenticate` header that repeats the error would count as a
 *   rejection of the client credentials.
 * - Empty members of tokens are absent, and the type of tokens without one is `bearer`: connectors send no other.
 *
 * @param unwrap converts a body of the provider's own form first.
 */
export async function toStandardReply(
  response: Response,
  unwrap?: ((body: unknown) => unknown) | undefined,
): Promise<Response> {
  if (response.status >= 500) return Response.json({}, { status: response.status });
  if (response.status === 429) return response;
  const payload: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const body = unwrap ? unwrap(payload ?? {}) : payload;
  if (!isJsonObject(body)) return response;
  if (typeof body.error === "string") {
    return Response.json(body, { status: response.ok ? 400 : response.status });
  }
  return response.ok || unwrap ? Response.json(completeTokens(body)) : response;
}

function completeTokens(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = Object.entries(body).filter(([, value]) => value !== null && value !== "");
  const tokens = Object.fromEntries(given);
  return "access_token" in tokens ? { token_type: "bearer", ...tokens } : tokens;
}
