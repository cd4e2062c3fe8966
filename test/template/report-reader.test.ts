import { expect, test } from "vitest";
import { statementsOf } from "./policy-document.ts";
import { ofType, resourceOf, synthesized } from "./synthesized.ts";

test("where Textract reads scans, one function may call it, and knows", () => {
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

test("a reader of scans that there is none of is refused", () => {
  expect(() => synthesized({ reportReader: "somebody" })).toThrow(/"local"\|"textract"\s.*reportReader/);
});
