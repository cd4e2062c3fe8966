import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";

/** Below this many characters compressing costs more than it saves. */
const FEWEST_CHARACTERS = 1_024;

const compressed = promisify(gzip);

/** Compresses an answer where the caller asked for gzip (RFC 9110, 12.5.3): samples shrink to a tenth, and HTTP APIs do not compress. */
export async function compress(
  answer: APIGatewayProxyStructuredResultV2,
  headers: APIGatewayProxyEventV2["headers"],
): Promise<APIGatewayProxyStructuredResultV2> {
  const { body = "" } = answer;
  if (body.length < FEWEST_CHARACTERS || answer.isBase64Encoded || !takesGzip(headers["accept-encoding"]))
    return answer;
  const content = await compressed(body, { level: constants.Z_BEST_SPEED });
  return {
    ...answer,
    headers: { ...answer.headers, "content-encoding": "gzip", vary: "accept-encoding" },
    body: content.toString("base64"),
    isBase64Encoded: true,
  };
}

/** Whether gzip is among the accepted codings and not given the quality 0. */
export function takesGzip(acceptEncoding = ""): boolean {
  return acceptEncoding.split(",").some((part) => {
    const [coding = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return coding === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
