import { type App, Validations } from "aws-cdk-lib/core";
import { AwsSolutionsChecks, HIPAASecurityChecks, type NagPack, ServerlessChecks } from "cdk-nag";

/** Construct paths by rule, without the name of the app as prefix. */
type PathsByRule = Readonly<Record<string, readonly string[]>>;

const createPacks = (): NagPack[] => [new AwsSolutionsChecks(), new HIPAASecurityChecks(), new ServerlessChecks()];

/** Findings of the three packs that are not acknowledged. */
export const openFindings = (app: App, name: string): PathsByRule => findingsOf(createPacks(), app, name);

/** Findings of the three packs, acknowledged or not. */
export function allFindings(app: App, name: string): PathsByRule {
  const packs = createPacks();
  for (const pack of packs) Object.assign(pack, { isAcknowledged: () => false });
  return findingsOf(packs, app, name);
}

function findingsOf(packs: readonly NagPack[], app: App, name: string): PathsByRule {
  const violations = packs.flatMap((pack) => pack.validateScope(app).violations);
  return sortedPaths(
    violations.flatMap(({ ruleName: rule, violatingResources }) =>
      violatingResources.map(({ constructPath = "" }) => ({ rule, path: constructPath.slice(name.length + 1) })),
    ),
  );
}

/** A finding that a stack acknowledges. */
interface Acknowledgement {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

/** All acknowledgements that the constructs of an app have recorded. */
export function readAcknowledgements(app: App, name: string): Acknowledgement[] {
  return app.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries<string>(data))
      .map(([id, reason]) => ({
        rule: id.replace(/^Annotation::/, ""),
        path: node.path.slice(name.length + 1),
        reason,
      })),
  );
}

/** Sorts paths under their rule. A path that occurs twice stays twice. */
export function sortedPaths(findings: readonly { readonly rule: string; readonly path: string }[]): PathsByRule {
  const groups = Map.groupBy(findings, ({ rule }) => rule);
  return Object.fromEntries([...groups].map(([rule, ones]) => [rule, ones.map(({ path }) => path).sort()]));
}
