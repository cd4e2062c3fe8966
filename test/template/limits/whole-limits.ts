import type { Limit, Template } from "./limit.ts";
import { lengthOf } from "./limit.ts";

const aws = "https://docs.aws.amazon.com";
const cloudFormation = `${aws}/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html`;
const iam = `${aws}/IAM/latest/UserGuide/reference_iam-quotas.html`;
const httpApi = `${aws}/apigateway/latest/developerguide/http-api-quotas.html`;

const sized = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, at) => [`One${at}`, {}]));

/** A limit on the number of parts of one kind in a template. */
const parts = (section: keyof Template, most: number): Limit => ({
  of: "Template",
  what: section,
  source: cloudFormation,
  most,
  measure: (template) => [Object.keys(template[section] ?? {}).length],
  beyond: { [section]: sized(most + 1) },
});

/** A limit on a total over all templates; `figures` is a property of AppFigures. */
const overall = (figures: string, what: string, most: number, source: string): Limit => ({
  of: "App",
  what,
  source,
  most,
  measure: (app) => app[figures] ?? [],
  beyond: { [figures]: [0, most + 1] },
});

/** Limits of whole templates, and of groups that span several templates. */
export const wholeLimits: readonly Limit[] = [
  parts("Resources", 500),
  parts("Outputs", 200),
  parts("Parameters", 200),
  {
    of: "Template",
    what: "bytes",
    source: cloudFormation,
    most: 1_048_576,
    measure: (template) => [Buffer.byteLength(JSON.stringify(template, null, 1))],
    beyond: { Resources: { Big: "x".repeat(1_048_576) } },
  },
  {
    of: "Template",
    what: "characters of the name of an export",
    source: `${aws}/AWSCloudFormation/latest/UserGuide/outputs-section-structure.html`,
    most: 255,
    measure: ({ Outputs = {} }) => Object.values(Outputs as object).flatMap(({ Export }) => lengthOf(Export?.Name)),
    beyond: { Outputs: { One: { Export: { Name: "x".repeat(256) } } } },
  },
  overall("roles", "roles of an account", 1_000, iam),
  overall("managedPolicies", "managed policies of an account", 1_500, iam),
  overall("policiesByRole", "managed policies of one role", 10, iam),
  overall("routesByApi", "routes of one API", 300, httpApi),
  overall("integrationsByApi", "integrations of one API", 300, httpApi),
  overall("rulesByBus", "rules of one event bus", 300, `${aws}/eventbridge/latest/userguide/eb-quota.html`),
  overall("readersByStream", "readers of one stream", 2, `${aws}/lambda/latest/dg/with-ddb.html`),
  overall(
    "invokersByFunction",
    "bytes of one function's policy",
    20_480,
    `${aws}/lambda/latest/dg/gettingstarted-limits.html`,
  ),
  overall(
    "outlasting",
    "seconds that a function outlasts its queue's visibility timeout",
    0,
    `${aws}/lambda/latest/dg/services-sqs-configure.html`,
  ),
];
