/** What happened to one call of a client. */
export type Outcome =
  /** The client parsed the response. */
  | {
      readonly kind: "answered";
      /** First five bytes of a downloaded file. */
      readonly file?: string | null;
      /** Kind of the failure of a link, which has status 200. */
      readonly error?: string | null;
    }
  | { readonly kind: "refused"; readonly status: number; readonly code?: string | null; readonly reason: string }
  /** The client could not make the call, or could not parse the response. */
  | { readonly kind: "fault"; readonly reason: string };

/** A public client of the interface, connected to the running service. */
export interface PublicClient {
  /** Its methods, `resource.method`, as the client names them. */
  readonly methods: readonly string[];
  /** Calls a method once. @param request with names in camelCase, as rows of methods write it. */
  call(method: string, request: object): Promise<Outcome>;
  stop(): void;
}

/** Name by which methods and fields of all clients are compared: clients differ in case and in underscores. */
export const foldName = (name: string): string => name.replaceAll("_", "").toLowerCase();
