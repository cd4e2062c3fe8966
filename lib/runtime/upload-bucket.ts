import { ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Bucket } from "./aws/bucket.ts";
import { oncePerContainer } from "./container.ts";

/** An S3 bucket for uploads by presigned URLs. */
export class UploadBucket extends Bucket {
  /** By default the SDK signs the checksum of an empty body into a presigned URL. */
  static readonly #signer = oncePerContainer(() => new S3Client({ requestChecksumCalculation: "WHEN_REQUIRED" }));
  readonly #name: string;

  constructor(name: string) {
    super(name);
    this.#name = name;
  }

  /**
   * Presigns a URL to upload an object of exactly `size` bytes. The signing function needs the permission to put it.
   * @param nowMs start of validity, epoch ms. @param seconds duration of validity.
   */
  uploadLink(key: string, size: number, nowMs: number, seconds: number): Promise<string> {
    const command = new PutObjectCommand({ Bucket: this.#name, Key: key, ContentLength: size });
    return getSignedUrl(UploadBucket.#signer(), command, { signingDate: new Date(nowMs), expiresIn: seconds });
  }

  /** Sizes in bytes of the objects below `prefix`, by key. Reads one page of the listing (1,000 objects). */
  async sizes(prefix: string): Promise<Map<string, number>> {
    const answer = await Bucket.s3.send(new ListObjectsV2Command({ Bucket: this.#name, Prefix: prefix }));
    return new Map((answer.Contents ?? []).map(({ Key = "", Size = 0 }) => [Key, Size]));
  }
}
