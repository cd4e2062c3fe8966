// @module-tag deep
import { expect, test } from "vitest";
import { parseStatements } from "./support/policy-document.ts";
import { findResource, resourcesOfType, synthesizeService } from "./support/synthesize.ts";

test("if Textract reads scans, one function has the permission and the setting", () => {
  const service = synthesizeService({ reportReader: "textract" });
  const { properties } = findResource(service, "AWS::IAM::ManagedPolicy", "parseLabReportDetectingText");
  expect(findResource(service, "AWS::IAM::Role", "parseLabReportRole").properties.ManagedPolicyArns).toHaveLength(2);
  expect(parseStatements(properties.PolicyDocument)).toEqual([
    { Effect: "Allow", Action: ["textract:DetectDocumentText"], Resource: ["*"] },
  ]);
  const configured = resourcesOfType(service, "AWS::Lambda::Function").filter((one) =>
    JSON.stringify(one.properties.Environment).includes('"REPORT_READER":"textract"'),
  );
  expect(configured.map(({ logicalId }) => logicalId.slice(0, -8))).toEqual(["parseLabReportFunction"]);
});

test("an unknown reader of scans is an error", () => {
  expect(() => synthesizeService({ reportReader: "somebody" })).toThrow(/"local"\|"textract"\s.*reportReader/);
});
