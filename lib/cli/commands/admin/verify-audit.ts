import { UsageRefused } from "../../frame/command-failed.ts";
import { declareCommand } from "../../frame/declaration.ts";
import { option, path } from "../../frame/values.ts";
import { stackName, stackOption } from "./bootstrap-options.ts";

export const verifyAudit = declareCommand({
  name: "verify-audit",
  summary: "Verifies the seals of the audit and access logs",
  description: ["The exit code is 1 if a seal does not match."],
  options: {
    ...stackOption,
    data: option("<directory>", "data directory of a stopped local service, instead of a deployment", path.optional()),
    anchors: option("<file>", "also verify the anchors in log lines of sealAccessLog", path.optional()),
  },
  examples: [
    ["admin verify-audit", "a deployment, with your AWS credentials"],
    ["admin verify-audit --anchors lines.txt", "and against lines of its log"],
    ["admin verify-audit --data .local", "a service on this machine, once it is stopped"],
  ],
  json: "always",
  failurePrefix: "Not done",
  run: async ({ stack, data, anchors }) => {
    if (stack !== undefined && data !== undefined) throw new UsageRefused("--stack and --data exclude each other");
    const { readAnchorFile, verifyDeployed, verifyLocal } = await import("../../../start/verify-audit.ts");
    const given = anchors === undefined ? [] : readAnchorFile(anchors);
    const found = await (data ? verifyLocal(data, given) : verifyDeployed(stackName(stack), given));
    return { data: found, isOk: found.isWhole };
  },
});
