/** The target of a request: its path, decoded segment by segment, and its raw query string. */
export interface RequestTarget {
  /** `/a/b/` is `["a", "b", ""]`. */
  readonly segments: readonly string[];
  readonly rawQuery: string;
}

/**
 * Parses the target of a request line (RFC 9112 section 3.2, origin or absolute form).
 * @returns undefined for any other form, and for malformed percent-encoding.
 */
export function parseRequestTarget(target: string): RequestTarget | undefined {
  const [path = "", ...query] = target.replace(/^https?:\/\/[^/?]*/i, "").split("?");
  if (!path.startsWith("/")) return undefined;
  try {
    return { segments: path.slice(1).split("/").map(decodeURIComponent), rawQuery: query.join("?") };
  } catch {
    return undefined;
  }
}
