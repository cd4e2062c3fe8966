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

/** Textract allows a few pages per second and region, so throttling is common under load. */
const MAX_ATTEMPTS = 6;
/** Maximum bytes of an image in one call (Textract Developer Guide, "Set Quotas"). */
const MAX_IMAGE_BYTES = 10_000_000;

/** Errors of an image that Textract never reads. Other errors are retryable. */
const permanentErrors = [
  BadDocumentException,
  DocumentTooLargeException,
  InvalidParameterException,
  UnsupportedDocumentException,
];

/** Detects words with Amazon Textract; null for an unreadable image. @throws Error if Textract fails or throttles. */
export function createTextractDetector(client = new TextractClient({ maxAttempts: MAX_ATTEMPTS })): DetectWords {
  return async (png) => {
    if (png.length > MAX_IMAGE_BYTES) return null;
    try {
      const { Blocks = [] } = await client.send(new DetectDocumentTextCommand({ Document: { Bytes: png } }));
      return Blocks.flatMap(toDetectedWord);
    } catch (error) {
      if (permanentErrors.some((refusal) => error instanceof refusal)) return null;
      throw error;
    }
  };
}

function toDetectedWord({ BlockType, Text, Confidence = 0, Geometry }: Block): DetectedWord[] {
  const { Left, Top, Width, Height } = Geometry?.BoundingBox ?? {};
  if (BlockType !== "WORD" || !Text) return [];
  if (Left === undefined || Top === undefined || Width === undefined || Height === undefined) return [];
  return [{ text: Text, left: Left, top: Top, width: Width, height: Height, confidence: Confidence }];
}
