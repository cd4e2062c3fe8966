import { expect, test } from "vitest";
import { statementsOf } from "./policy-document.ts";
import { ofType, resourceOf, synthesized } from "./synthesized.ts";

test("if Textract reads scans, one function has the permission and the setting", () => {
  const service = synthesized({ reportReader: "textract" });
  const { properties } = resourceOf(service, "AWS::IAM::ManagedPolicy", "parseLabReportDetectingText");
  expect(resourceOf(service, "AWS::IAM::Role", "parseLabReportRole").properties.ManagedPolicyArns).toHaveLength(2);
  expect(statementsOf(properties.PolicyDocument)).toEqual([
    { Effect: "Allow", Action: ["textract:DetectDocumentText"], Resource: ["*"] },
  ]);
  const told = ofType(service, "AWS::Lambda::Function").filter((one) =>
    JSON.stringify(one.properties.Environment).includes('"REPORT_READER":"textract"'),
  );
  expect(told.map(({ logicalId }) => logicalId.slice(0, -8))).toEqual(["parseLabReportFunction"]);
});

test("an unknown reader of scans is an error", () => {
  expect(() => synthesized({ reportReader: "somebody" })).toThrow(/"local"\|"textract"\s.*reportReader/);
});
