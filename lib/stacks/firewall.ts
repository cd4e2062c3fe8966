import * as wafv2 from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { acknowledgeFindings } from "./acknowledge-findings.ts";

/** AWS managed rule groups in their order; see docs/deploy.md for the excluded rules. */
const managedRuleGroups = [
  // Batches and lab reports exceed the 8 KB of the body rule, and clients do not need a user agent.
  { name: "AWSManagedRulesCommonRuleSet", counting: ["SizeRestrictions_BODY", "NoUserAgent_HEADER"] },
  { name: "AWSManagedRulesKnownBadInputsRuleSet", counting: [] },
  { name: "AWSManagedRulesAmazonIpReputationList", counting: [] },
];

const toVisibilityConfig = (metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/** A web ACL for CloudFront: a rate limit per IP address, then the AWS managed rule groups. */
export class Firewall extends Construct {
  readonly webAcl: wafv2.CfnWebACL;

  /** @param props.requestsPerAddress maximum number of requests per IP address in five minutes. */
  constructor(scope: Construct, id: string, { requestsPerAddress }: { readonly requestsPerAddress: number }) {
    super(scope, id);
    this.webAcl = new wafv2.CfnWebACL(this, "WebAcl", {
      scope: "CLOUDFRONT",
      defaultAction: { allow: {} },
      visibilityConfig: toVisibilityConfig("edge"),
      rules: [
        {
          name: "RatePerAddress",
          priority: 0,
          action: { block: {} },
          statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: "IP" } },
          visibilityConfig: toVisibilityConfig("RatePerAddress"),
        },
        ...managedRuleGroups.map(({ name, counting }, index) => ({
          name,
          priority: index + 1,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: "AWS",
              name,
              ruleActionOverrides: counting.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
            },
          },
          visibilityConfig: toVisibilityConfig(name),
        })),
      ],
    });
    acknowledgeFindings(
      this.webAcl,
      "A request log would contain paths, which may contain user ids; metrics count the blocks of each rule.",
      "HIPAA.Security-WAFv2LoggingEnabled",
    );
  }
}
