import { homedir, userInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { resolveConfig } from "../../lib/stacks/config.ts";
import { countCoreStacks } from "../../lib/stacks/stack-names.ts";
import { everyOption } from "./support/all-options.ts";
import { resourcesOfType, type SynthesizedService, synthesizeService } from "./support/synthesize.ts";

const service = synthesizeService();
const serviceWithAll = synthesizeService(everyOption);

describe("every stack", () => {
  test.each(service.templates)("$name stays below 450 resources", ({ resources }) => {
    expect(Object.keys(resources).length).toBeLessThanOrEqual(450);
  });

  test("has at most forty endpoints", () => {
    for (const [tag, contracts] of Map.groupBy(endpoints, (contract) => contract.tag)) {
      expect({ tag, isSmall: contracts.length <= 40 }).toEqual({ tag, isSmall: true });
    }
  });
});

test.each([
  ["by default", {}, service],
  ["with every option on", everyOption, serviceWithAll],
])("there are as many stacks as a check before a deployment counts: %s", (_, settings, { templates }) => {
  const groups = new Set(endpoints.map(({ tag }) => tag)).size;
  expect(templates).toHaveLength(groups + countCoreStacks(resolveConfig(settings, undefined, undefined)));
});

test("every API has at most 300 routes", () => {
  const routes = resourcesOfType(service, "AWS::ApiGatewayV2::Route");
  const counts = Map.groupBy(routes, ({ properties }) => properties.ApiId);
  expect(counts.size).toBe(2);
  for (const ofApi of counts.values()) expect(ofApi.length).toBeLessThanOrEqual(300);
});

describe("no template", () => {
  const text = service.templates.map((template) => template.text).join("\n");

  test("names an account, a region or a path on this machine", () => {
    expect(text.match(/\b\d{12}\b/g)).toBeNull();
    expect(text.match(/\b(us|eu|ap|sa|ca|me|af|il)-(north|south|east|west|central)[a-z]*-\d\b/g)).toBeNull();
    for (const place of [process.cwd(), `${homedir()}/`, `/${userInfo().username}/`]) expect(text).not.toContain(place);
  });

  test("contains a secret or a parameter for one", () => {
    const secretLike = /NoEcho|\{\{resolve:|AKIA[0-9A-Z]{16}|whsec_|sk_(us|eu)_|-----BEGIN|password/i;
    // Users log in at providers by password, so routes contain the word.
    const operations =
      /(connect|complete)-?PasswordProvider\w*|password-?auth|\/provider\/password\/|name and password/gi;
    expect(text.replaceAll(operations, "").match(secretLike)).toBeNull();
  });
});

/** Resource types that lose their data if their logical id changes. */
const replaceable = ["AWS::DynamoDB::Table", "AWS::Lambda::Function", "AWS::SQS::Queue", "AWS::SecretsManager::Secret"];

function identities({ assembly }: SynthesizedService): string[] {
  const found = assembly.resources.filter(({ type }) => replaceable.includes(type));
  return found.map(({ stack, logicalId, type }) => `${stack}/${logicalId} ${type}`).sort();
}

// To accept a change: npx vitest run --config test/vitest.config.ts test/template/stacks.test.ts -u
test("no function, table, queue or secret changes its logical id unnoticed", async () => {
  await expect(`${identities(service).join("\n")}\n`).toMatchFileSnapshot("golden-ids.txt");
});

test("synthesis with another name keeps every logical id of functions, tables and queues", { tags: "deep" }, () => {
  const elsewhere = identities(synthesizeService({ name: "Elsewhere" }));
  expect(elsewhere.map((id) => id.replace("Elsewhere", "Tributary"))).toEqual(identities(service));
});

/** The page of what a deployment creates, with the number of resources of each type. */
function resourcesPage(): string {
  const [own, withAll] = [service, serviceWithAll].map(({ assembly }) =>
    Map.groupBy(assembly.resources, ({ type }) => type),
  );
  const types = [...new Set([...(own?.keys() ?? []), ...(withAll?.keys() ?? [])])].sort();
  const count = (type: string) => `${own?.get(type)?.length ?? 0} | ${withAll?.get(type)?.length ?? 0}`;
  return [
    "# What a deployment creates\n",
    "This page is for people who must approve a deployment. `test/template/stacks.test.ts` counts the resources in the templates.",
    "The second number is that of a deployment with every option on.\n",
    "| Type | By default | With every option |\n|---|---|---|",
    `| Stacks | ${service.templates.length} | ${serviceWithAll.templates.length} |`,
    `| All resources | ${service.assembly.resources.length} | ${serviceWithAll.assembly.resources.length} |`,
    ...types.map((type) => `| ${type} | ${count(type)} |`),
    "",
  ].join("\n");
}

// The update of the identities above writes this page, too.
test("the page of what a deployment creates is current", async () => {
  await expect(resourcesPage()).toMatchFileSnapshot("../../docs/figures/created-resources.md");
});
