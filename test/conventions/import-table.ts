/**
 * Who may import whom. The linter's rules are generated from this table (`npm run import-rules`), and
 * docs/architecture.md draws it. A layer or capability that a row does not name is refused.
 */

/** What a layer may import: other layers of lib/, and the packages that are guarded because few layers need them. */
export interface Layer {
  readonly layers: readonly string[];
  readonly packages: readonly GuardedPackage[];
}

/** Packages that only the layers that name them may import, as patterns of import specifiers. */
export const guardedPackages = {
  sdk: ["@aws-sdk/**"],
  cdk: ["aws-cdk-lib", "aws-cdk-lib/**", "constructs"],
} as const;
export type GuardedPackage = keyof typeof guardedPackages;

const framework = ["contract", "crypto", "domain", "events", "store", "runtime"];

/** Folders of lib/ with rules, lowest first. `functions` stands for the list of contracts, functions/index.ts. */
export const layers: Readonly<Record<string, Layer>> = {
  contract: { layers: [], packages: [] },
  domain: { layers: ["contract"], packages: [] },
  crypto: { layers: ["domain"], packages: [] },
  events: { layers: ["contract", "domain"], packages: [] },
  store: { layers: ["contract", "domain", "events"], packages: ["sdk"] },
  runtime: { layers: ["contract", "crypto", "domain", "events", "store"], packages: ["sdk"] },
  connectors: { layers: ["contract", "crypto", "domain", "runtime"], packages: [] },
  labs: { layers: ["contract", "crypto", "domain", "runtime"], packages: [] },
  services: { layers: [...framework, "connectors"], packages: ["sdk"] },
  simulators: { layers: ["contract", "domain"], packages: [] },
  openapi: { layers: ["contract", "domain", "events", "functions"], packages: [] },
  stacks: { layers: ["contract", "domain", "events", "functions"], packages: ["cdk"] },
  local: { layers: ["domain", "simulators"], packages: ["sdk"] },
};

/** Folders of lib/ that put the layers together and may import all of them. */
export const compositionRoots: readonly string[] = ["build", "cli", "start"];

/** What functions/ may import of lib/. */
export const functionLayers: readonly string[] = [...framework, "connectors", "labs", "services", "simulators"];

/** Which capability of lib/services may import which other ones. */
export const services: Readonly<Record<string, readonly string[]>> = {
  agents: [],
  appointments: ["orders", "places"],
  audit: [],
  connections: ["ingest", "timeseries", "usage"],
  erasure: ["events", "orders"],
  console: ["usage"],
  events: [],
  exports: ["summaries"],
  fhir: ["results", "timeseries"],
  forwarding: [],
  ingest: ["events"],
  insurance: [],
  "lab-reports": ["lab-tests"],
  "lab-tests": [],
  lake: ["summaries"],
  "lab-work": ["appointments", "orders", "results"],
  management: [],
  operations: [],
  orders: ["insurance", "lab-tests"],
  places: ["lab-tests"],
  portal: [],
  queries: ["summaries", "usage"],
  results: ["appointments", "lab-tests", "orders", "users"],
  summaries: ["timeseries"],
  timeseries: [],
  usage: [],
  users: ["usage"],
  webhooks: [],
};
