type Parquet = typeof import("../parquet.ts");

/** Loads the encoder of Parquet, whose address the page names. */
export async function loadParquet(): Promise<Parquet> {
  const named = document.querySelector<HTMLMetaElement>('meta[name="parquet"]');
  return import(named?.content ?? "");
}
