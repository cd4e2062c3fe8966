import {
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  paginateListObjectsV2,
  type S3Client,
} from "@aws-sdk/client-s3";

/** An object of a bucket. */
interface ListedObject {
  readonly key: string;
  /** Undefined for the current version. */
  readonly versionId?: string | undefined;
}

/** A version of an object, or the mark of its deletion. */
interface ObjectVersion {
  readonly Key?: string | undefined;
  readonly VersionId?: string | undefined;
  readonly LastModified?: Date | undefined;
  readonly isDeletion?: boolean;
}

/** Lists the objects of a bucket page by page. @param at the instant of which, epoch ms; now by default. */
export async function* listObjects(client: S3Client, Bucket: string, at?: number): AsyncGenerator<ListedObject[]> {
  if (at !== undefined) return yield* listVersions(client, Bucket, at);
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
    yield Contents.flatMap(({ Key }) => (Key === undefined ? [] : { key: Key }));
}

async function* listVersions(client: S3Client, Bucket: string, at: number): AsyncGenerator<ListedObject[]> {
  let marker: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
  let open: ObjectVersion[] = [];
  while (marker !== undefined) {
    const answer: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, ...marker }),
    );
    const { Versions = [], DeleteMarkers = [], IsTruncated, NextKeyMarker, NextVersionIdMarker } = answer;
    const deletions = DeleteMarkers.map((one) => ({ ...one, isDeletion: true }));
    const found = [...open, ...Versions, ...deletions];
    // The versions of the last key may go on in the next page.
    const last = IsTruncated
      ? found
          .map(({ Key = "" }) => Key)
          .toSorted()
          .at(-1)
      : undefined;
    open = found.filter(({ Key }) => Key === last);
    yield chooseVersions(
      found.filter(({ Key }) => Key !== last),
      at,
    );
    marker = IsTruncated ? { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker } : undefined;
  }
}

/** Chooses the version that each object had at an instant, epoch ms. Objects that did not exist then are left out. */
export function chooseVersions(versions: readonly ObjectVersion[], at: number): ListedObject[] {
  const byKey = Map.groupBy(
    versions.filter(({ LastModified }) => (LastModified?.getTime() ?? 0) <= at),
    ({ Key = "" }) => Key,
  );
  return [...byKey].flatMap(([key, all]) => {
    const [newest] = all.toSorted((a, b) => (b.LastModified?.getTime() ?? 0) - (a.LastModified?.getTime() ?? 0));
    return newest === undefined || newest.isDeletion ? [] : { key, versionId: newest.VersionId };
  });
}
