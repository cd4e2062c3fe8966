import { promisify } from "node:util";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";

/** Minimum length of a compressed body. Compressing a shorter body costs more than it saves. */
const MIN_CHARACTERS = 1_024;

/**
 * Compresses an answer if the caller accepts gzip (RFC 9110, 12.5.3). API Gateway HTTP APIs do not compress. Samples
 * shrink to a tenth.
 */
export async function compress(
  answer: APIGatewayProxyStructuredResultV2,
  headers: APIGatewayProxyEventV2["headers"],
): Promise<APIGatewayProxyStructuredResultV2> {
  const { body = "" } = answer;
  if (body.length < MIN_CHARACTERS || answer.isBase64Encoded || !acceptsCoding("gzip", headers["accept-encoding"]))
    return answer;
  // Loaded with the first compressed answer, because zlib is a tenth of what a cold start would load.
  const { constants, gzip } = await import("node:zlib");
  const content = await promisify(gzip)(body, { level: constants.Z_BEST_SPEED });
  return {
    ...answer,
    headers: { ...answer.headers, "content-encoding": "gzip", vary: "accept-encoding" },
    body: content.toString("base64"),
    isBase64Encoded: true,
  };
}

/** Whether `Accept-Encoding` lists a content coding with a quality above 0. */
export function acceptsCoding(wanted: "gzip" | "br", acceptEncoding = ""): boolean {
  return acceptEncoding.split(",").some((part) => {
    const [coding = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return coding === wanted && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
