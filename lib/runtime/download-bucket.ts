import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Bucket } from "./bucket.ts";

/** How often a file is sent: the client itself can not send a stream again. */
const ATTEMPTS = 3;

/** An S3 bucket of files that people download. */
export class DownloadBucket extends Bucket {
  readonly #name: string;

  constructor(name: string) {
    super(name);
    this.#name = name;
  }

  /** Keeps a file of the local disk without reading it whole into memory. */
  async keepFile(key: string, path: string, contentType: string): Promise<void> {
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
   * The address at which anyone may download the object. Whoever signs it must be allowed to read it.
   * @param nowMs from when it is valid, epoch ms. @param seconds for how long.
   */
  link(key: string, nowMs: number, seconds: number): Promise<string> {
    const command = new GetObjectCommand({ Bucket: this.#name, Key: key });
    return getSignedUrl(Bucket.s3, command, { signingDate: new Date(nowMs), expiresIn: seconds });
  }
}
