import * as acm from "aws-cdk-lib/aws-certificatemanager";
import * as cloudfront from "aws-cdk-lib/aws-cloudfront";
import * as origins from "aws-cdk-lib/aws-cloudfront-origins";
import { Aws, CfnOutput, CfnRule, Fn, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { edgeSecretHeader } from "../contract/edge.ts";
import type { DeploymentConfig } from "./config.ts";
import { Firewall } from "./firewall.ts";

interface EdgeProps extends StackProps {
  readonly name: string;
  readonly edge: NonNullable<DeploymentConfig["edge"]>;
  /** Address of the API that it stands before. */
  readonly apiAddress: string;
}

/** CloudFront with a firewall before the main API; it tells the API by a secret header that a request came this way. */
export class EdgeStack extends Stack {
  /** Where the service is reached, without a slash at the end. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id, props);
    const { webAclArn, domain, requestsPerAddress, secretVersion } = props.edge;
    if (webAclArn === undefined) this.#requireVirginia();
    const firewall = webAclArn ?? new Firewall(this, "Firewall", { requestsPerAddress }).webAcl.attrArn;
    const distribution = new cloudfront.Distribution(this, "Distribution", {
      // CloudFormation resolves the secret again only where something of the distribution changes.
      comment: `${props.name}, secret ${secretVersion}`,
      webAclId: firewall,
      defaultBehavior: {
        origin: new origins.HttpOrigin(Fn.select(2, Fn.split("/", props.apiAddress)), {
          protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
          customHeaders: { [edgeSecretHeader]: edgeSecretOf(props.name) },
        }),
        allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        // Answers that API Gateway or the firewall makes have no headers of the service's own.
        responseHeadersPolicy: cloudfront.ResponseHeadersPolicy.SECURITY_HEADERS,
        originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      },
      minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
      ...(domain
        ? {
            domainNames: [domain.name],
            certificate: acm.Certificate.fromCertificateArn(this, "Certificate", domain.certificateArn),
          }
        : {}),
    });
    this.baseUrl = `https://${domain?.name ?? distribution.distributionDomainName}`;
    new CfnOutput(this, "Address", { value: this.baseUrl });
    new CfnOutput(this, "DomainTarget", { value: distribution.distributionDomainName });
  }

  /** Said before anything is made, and not by WAF in the middle of it. */
  #requireVirginia(): void {
    new CfnRule(this, "FirewallRegion", {
      assertions: [
        {
          assert: Fn.conditionEquals(Aws.REGION, "us-east-1"),
          assertDescription:
            "A web ACL for CloudFront can be made in us-east-1 alone: set edge.webAclArn, see docs/deploy.md",
        },
      ],
    });
  }
}

/** The name of the secret between CloudFront and the main API of a deployment. */
export const edgeSecretName = (name: string): string => `${name.toLowerCase()}/edge`;

/**
 * What CloudFormation puts the secret's value in the place of while it deploys; no template has it. By name and not by
 * reference: what one stack exports to others it can not stop exporting in the deployment that turns CloudFront off.
 */
export const edgeSecretOf = (name: string): string => `{{resolve:secretsmanager:${edgeSecretName(name)}:SecretString}}`;
