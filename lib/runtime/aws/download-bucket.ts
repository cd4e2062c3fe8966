import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Bucket } from "./bucket.ts";

/** Upload attempts per file. The SDK client cannot retry a stream itself. */
const ATTEMPTS = 3;

/** An S3 bucket of downloadable files. */
export class DownloadBucket extends Bucket {
  readonly #name: string;

  constructor(name: string) {
    super(name);
    this.#name = name;
  }

  /** Uploads a local file as a stream, without loading it into memory. */
  async putFile(key: string, path: string, contentType: string): Promise<void> {
    const { size } = await stat(path);
    for (let attempt = 1; ; attempt++) {
      const about = { Bucket: this.#name, Key: key, ContentType: contentType, ContentLength: size };
      const content = createReadStream(path);
      try {
        await Bucket.s3.send(new PutObjectCommand({ ...about, Body: content }));
        return;
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
      } finally {
        content.destroy();
      }
    }
  }

  /**
   * Returns a presigned download URL. The signing function needs read access to the object.
   * @param nowMs start of validity, epoch ms. @param seconds validity.
   */
  signDownloadUrl(key: string, nowMs: number, seconds: number): Promise<string> {
    const command = new GetObjectCommand({ Bucket: this.#name, Key: key });
    return getSignedUrl(Bucket.s3, command, { signingDate: new Date(nowMs), expiresIn: seconds });
  }
}
