import { ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Bucket } from "../bucket.ts";
import { keptByContainer } from "../container.ts";

/** An S3 bucket to which others send files, each to an address of its own. */
export class UploadBucket extends Bucket {
  /** A checksum that is computed when an address is signed would be that of nothing. */
  static readonly #signer = keptByContainer(() => new S3Client({ requestChecksumCalculation: "WHEN_REQUIRED" }));
  readonly #name: string;

  constructor(name: string) {
    super(name);
    this.#name = name;
  }

  /**
   * The address at which anyone may put an object of just so many bytes. Whoever signs it must be allowed to keep it.
   * @param nowMs from when it is valid, epoch ms. @param seconds for how long.
   */
  uploadLink(key: string, size: number, nowMs: number, seconds: number): Promise<string> {
    const command = new PutObjectCommand({ Bucket: this.#name, Key: key, ContentLength: size });
    return getSignedUrl(UploadBucket.#signer(), command, { signingDate: new Date(nowMs), expiresIn: seconds });
  }

  /** How many bytes the objects have whose names begin with `prefix`: of a few objects. */
  async sizes(prefix: string): Promise<Map<string, number>> {
    const answer = await Bucket.s3.send(new ListObjectsV2Command({ Bucket: this.#name, Prefix: prefix }));
    return new Map((answer.Contents ?? []).map(({ Key = "", Size = 0 }) => [Key, Size]));
  }
}
