import * as acm from "aws-cdk-lib/aws-certificatemanager";
import * as cloudfront from "aws-cdk-lib/aws-cloudfront";
import * as origins from "aws-cdk-lib/aws-cloudfront-origins";
import { Aws, CfnOutput, CfnRule, Duration, Fn, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { edgeSecretHeader } from "../contract/edge-secret.ts";
import { acknowledgeFindings } from "./acknowledge-findings.ts";
import type { DeploymentConfig } from "./config.ts";
import { Firewall } from "./firewall.ts";

/**
 * The statuses that CloudFront caches for ten seconds unless the distribution states otherwise, even with a cache policy
 * that caches nothing. Their key would be the path alone, so one caller would get the error of another (CloudFront
 * guide, "How CloudFront processes HTTP 4xx and 5xx status codes from your origin"). It never caches 416.
 */
const CACHED_ERRORS = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/** Time over which the firewall counts the requests of an address, seconds. */
const RATE_WINDOW_S = 300;

interface EdgeProps extends StackProps {
  readonly name: string;
  readonly edge: NonNullable<DeploymentConfig["edge"]>;
  /** Default limit of requests per second of a team. */
  readonly requestsPerSecond: number;
  /** URL of the API behind CloudFront. */
  readonly apiAddress: string;
}

/** CloudFront with AWS WAF in front of the main API. A secret header proves that a request came through CloudFront. */
export class EdgeStack extends Stack {
  /** URL of the service, without trailing slash. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id, props);
    // All users of a team may call through one address, that of its backend.
    const { webAclArn, domain, requestsPerAddress = RATE_WINDOW_S * props.requestsPerSecond } = props.edge;
    if (webAclArn === undefined) this.#requireVirginia();
    const webAclId = webAclArn ?? new Firewall(this, "Firewall", { requestsPerAddress }).webAcl.attrArn;
    const distribution = this.#distribution(props, webAclId);
    this.baseUrl = `https://${domain?.name ?? distribution.distributionDomainName}`;
    new CfnOutput(this, "Address", { value: this.baseUrl });
    new CfnOutput(this, "DomainTarget", { value: distribution.distributionDomainName });
  }

  #distribution({ name, edge: { domain, secretVersion }, apiAddress }: EdgeProps, webAclId: string) {
    const distribution = new cloudfront.Distribution(this, "Distribution", {
      // CloudFormation resolves the secret again only when the distribution changes.
      comment: `${name}, secret ${secretVersion}`,
      webAclId,
      defaultBehavior: {
        origin: new origins.HttpOrigin(Fn.select(2, Fn.split("/", apiAddress)), {
          protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
          customHeaders: { [edgeSecretHeader]: edgeSecretReference(name) },
        }),
        allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        // Responses of API Gateway and of the firewall lack the security headers of the service.
        responseHeadersPolicy: cloudfront.ResponseHeadersPolicy.SECURITY_HEADERS,
        originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      },
      errorResponses: CACHED_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
      ...(domain
        ? {
            domainNames: [domain.name],
            certificate: acm.Certificate.fromCertificateArn(this, "Certificate", domain.certificateArn),
          }
        : {}),
    });
    acknowledgeFindings(
      distribution,
      "Users are worldwide; the API logs each request by route, and a log of paths would contain user ids.",
      "AwsSolutions-CFR1",
      "AwsSolutions-CFR3",
    );
    return distribution;
  }

  /** Fails the deployment before it creates anything. WAF would fail in the middle of it. */
  #requireVirginia(): void {
    new CfnRule(this, "FirewallRegion", {
      assertions: [
        {
          assert: Fn.conditionEquals(Aws.REGION, "us-east-1"),
          assertDescription:
            "A web ACL for CloudFront can only be created in us-east-1: set edge.webAclArn, see docs/deploy.md",
        },
      ],
    });
  }
}

/** Name of the secret that CloudFront and the main API share. */
export const edgeSecretName = (name: string): string => `${name.toLowerCase()}/edge`;

/**
 * Dynamic reference to the secret, which CloudFormation resolves during a deployment, so no template contains the
 * value. It uses the secret's name: a stack could not remove an export in the deployment that turns CloudFront off.
 */
export const edgeSecretReference = (name: string): string =>
  `{{resolve:secretsmanager:${edgeSecretName(name)}:SecretString}}`;
