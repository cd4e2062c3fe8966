import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { TextractClient } from "@aws-sdk/client-textract";
import { decode } from "fast-png";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import type { DetectWords } from "../../../lib/domain/lab-reports/report-reader.ts";
import { reportExtractor } from "../../../lib/labs/reports/report-extractor.ts";
import { createTextractDetector } from "../../../lib/services/lab-reports/textract-detector.ts";
import { drawPage, sampleWords } from "../labs/reports/drawn-page.ts";

/** A response of Textract: its status and its JSON body. */
type Answer = readonly [number, unknown];

const basis = { results: [], learned: [], submittedOn: "2026-03-15" };

const called = z.object({ Document: z.object({ Bytes: z.base64() }) });

/** The received requests and the next responses. The last response repeats. */
const asked: { target: string | undefined; image: Buffer }[] = [];
let answers: Answer[] = [];

/** Implements DetectDocumentText in AWS JSON 1.1, with errors by `__type`, as in Textract's API reference. */
const peer = createServer(async (request: IncomingMessage, response) => {
  const { Document } = called.parse(await json(request));
  asked.push({ target: String(request.headers["x-amz-target"]), image: Buffer.from(Document.Bytes, "base64") });
  const [status, body] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500, {}];
  response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
});

let detect: DetectWords;
beforeAll(async () => {
  await once(peer.listen(0, "127.0.0.1"), "listening");
  const { port } = peer.address() as AddressInfo;
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const endpoint = `http://127.0.0.1:${port}`;
  detect = createTextractDetector(new TextractClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 3 }));
});
afterAll(() => peer.close());
beforeEach(() => {
  asked.length = 0;
});

const block = (type: string, text: string, place: number) => ({
  BlockType: type,
  Text: text,
  TextType: "PRINTED",
  Confidence: 99.31,
  Geometry: { BoundingBox: { Left: 0.1, Top: place / 100, Width: 0.2, Height: 0.01 }, Polygon: [] },
  Id: `${type}-${place}`,
});
/** A page, its lines and its words, each as a block. */
const answerOf = (words: readonly string[]): Answer => [
  200,
  {
    DocumentMetadata: { Pages: 1 },
    DetectDocumentTextModelVersion: "1.0",
    Blocks: [
      { BlockType: "PAGE", Id: "page", Geometry: { BoundingBox: { Left: 0, Top: 0, Width: 1, Height: 1 } } },
      block("LINE", words.join(" "), 1),
      ...words.map((text, place) => block("WORD", text, place + 1)),
    ],
  },
];
const errorOf = (type: string, status = 400): Answer => [status, { __type: type, message: "refused" }];
const png = new Uint8Array(drawPage({ dpi: 20 }).toBuffer("image/png"));

test("one call with the image returns the words with their positions", async () => {
  answers = [answerOf(["Glucose", "112"])];
  expect(await detect(png)).toEqual([
    { text: "Glucose", left: 0.1, top: 0.01, width: 0.2, height: 0.01, confidence: 99.31 },
    { text: "112", left: 0.1, top: 0.02, width: 0.2, height: 0.01, confidence: 99.31 },
  ]);
  expect(asked).toEqual([{ target: "Textract.DetectDocumentText", image: Buffer.from(png) }]);
});

test.each(["ThrottlingException", "ProvisionedThroughputExceededException"])(
  "a call is retried after %s",
  async (type) => {
    answers = [errorOf(type), answerOf(["Glucose"])];
    expect(await detect(png)).toHaveLength(1);
    expect(asked).toHaveLength(2);
  },
);

test("persistent throttling fails the run, which is retried later", { tags: "deep" }, async () => {
  answers = [errorOf("ThrottlingException")];
  await expect(detect(png)).rejects.toThrow("refused");
  expect(asked).toHaveLength(3);
});

test.each(["BadDocumentException", "UnsupportedDocumentException", "DocumentTooLargeException"])(
  "an image is not retried after %s",
  async (type) => {
    answers = [errorOf(type)];
    expect(await detect(png)).toBeNull();
    expect(asked).toHaveLength(1);
  },
);

test("an image above the service limit is not sent", async () => {
  expect(await detect(new Uint8Array(10_000_001))).toBeNull();
  expect(asked).toEqual([]);
});

test("a scan is read with the detected words at their positions on the sheet", { tags: "deep" }, async () => {
  answers = [answerOf(sampleWords)];
  const read = await reportExtractor(detect)([drawPage({ dpi: 200 }).toBuffer("image/jpeg")], basis);
  const [page] = "pages" in read ? read.pages : [];
  expect(page?.words.map(({ text }) => text)).toEqual(sampleWords);
  expect(page).toMatchObject({ width: 612, height: 792, origin: "image", dpi: 200 });
  expect(page?.words[0]).toMatchObject({ left: 61.2, top: 7.92, width: 122.4, height: 7.92, confidence: 99 });
  const [{ image } = { image: Buffer.of() }] = asked;
  expect(decode(image)).toMatchObject({ width: 2550, height: 3300, channels: 1, depth: 8 });
  expect(asked).toHaveLength(1);
});

test("a report with a rejected page is unreadable without failing the run", { tags: "deep" }, async () => {
  const scan = drawPage({ dpi: 100 }).toBuffer("image/jpeg");
  answers = [errorOf("BadDocumentException")];
  expect(await reportExtractor(detect)([scan], basis)).toMatchObject({ reason: "processing_error" });
  answers = [errorOf("AccessDeniedException")];
  await expect(reportExtractor(detect)([scan], basis)).rejects.toThrow("refused");
  answers = [answerOf(sampleWords)];
  expect(await reportExtractor(detect)([scan], basis)).toHaveProperty("pages");
});
