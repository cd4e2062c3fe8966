/** The parameters of a request that choose its endpoint, as SDK clients pass them. */
interface EndpointParameters {
  readonly Region?: string;
  /** The configured endpoint, for example that of the local cloud in AWS_ENDPOINT_URL. */
  readonly Endpoint?: string;
  readonly UseFIPS?: boolean;
  readonly UseDualStack?: boolean;
}

/** Domains of the partitions by the prefix of their regions (AWS General Reference, "AWS service endpoints"). */
const DOMAINS = [
  [/^cn-/, "amazonaws.com.cn"],
  [/^(us|eu|ap|sa|ca|me|af|il|mx)-(?!gov|iso)[a-z]+-\d+$/, "amazonaws.com"],
] as const;

/**
 * The endpoint resolver of an SDK client in functions. It stands in for the rules of the SDK, which also cover FIPS, dual
 * stack, account-based endpoints and partitions where this service does not run.
 * @param host name of the service in its regional domain, for example `dynamodb`.
 * @returns a resolver, which throws for what it does not cover.
 */
export function regionalEndpoint(host: string) {
  return ({ Region = "", Endpoint, UseFIPS, UseDualStack }: EndpointParameters) => {
    if (UseFIPS || UseDualStack) throw new Error("functions use neither FIPS nor dual-stack endpoints");
    if (Endpoint) return { url: new URL(Endpoint), properties: {}, headers: {} };
    const [, domain] = DOMAINS.find(([regions]) => regions.test(Region)) ?? [];
    if (domain === undefined) throw new Error(`functions know no endpoint in the region "${Region}"`);
    return { url: new URL(`https://${host}.${Region}.${domain}`), properties: {}, headers: {} };
  };
}
