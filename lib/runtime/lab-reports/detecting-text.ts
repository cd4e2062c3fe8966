import {
  BadDocumentException,
  type Block,
  DetectDocumentTextCommand,
  DocumentTooLargeException,
  InvalidParameterException,
  TextractClient,
  UnsupportedDocumentException,
} from "@aws-sdk/client-textract";
import type { DetectedWord, DetectWords } from "../../domain/lab-reports/report-reader.ts";

/** Throttling is the rule rather than an exception where many reports come in: a region allows a few pages a second. */
const MAX_ATTEMPTS = 6;
/** What the service takes in one call, in bytes (Textract Developer Guide, "Set Quotas"). */
const MOST_BYTES = 10_000_000;

/** What the service says of an image that it will never read; anything else is worth another try. */
const refusals = [
  BadDocumentException,
  DocumentTooLargeException,
  InvalidParameterException,
  UnsupportedDocumentException,
];

/** Finds words with Amazon Textract. @throws Error when the service can not be reached, or throttles again and again. */
export function detectingText(client = new TextractClient({ maxAttempts: MAX_ATTEMPTS })): DetectWords {
  return async (png) => {
    if (png.length > MOST_BYTES) return null;
    try {
      const { Blocks = [] } = await client.send(new DetectDocumentTextCommand({ Document: { Bytes: png } }));
      return Blocks.flatMap(wordIn);
    } catch (error) {
      if (refusals.some((refusal) => error instanceof refusal)) return null;
      throw error;
    }
  };
}

function wordIn({ BlockType, Text, Confidence = 0, Geometry }: Block): DetectedWord[] {
  const { Left, Top, Width, Height } = Geometry?.BoundingBox ?? {};
  if (BlockType !== "WORD" || !Text) return [];
  if (Left === undefined || Top === undefined || Width === undefined || Height === undefined) return [];
  return [{ text: Text, left: Left, top: Top, width: Width, height: Height, confidence: Confidence }];
}
