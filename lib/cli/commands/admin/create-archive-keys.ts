import { declareCommand } from "../../frame/declaration.ts";
import { option, path } from "../../frame/values.ts";

export const createArchiveKeys = declareCommand({
  name: "create-archive-keys",
  summary: "Creates the keys of a recipient of archives",
  description: ["An export needs the recipient alone. Keep the identity where no export runs."],
  options: {
    identity: option("<file>", "new file for the private key", path),
    recipient: option("<file>", "new file for the public key", path),
  },
  examples: [["admin create-archive-keys --identity identity.jwk --recipient recipient.jwk", "writes both files"]],
  json: "always",
  failurePrefix: "Not done",
  run: async ({ identity, recipient }) => {
    const archives = await import("../../../start/archive/archive-key.ts");
    const { writeKeyFiles } = await import("./key-file.ts");
    const keys = await archives.createArchiveKeys();
    writeKeyFiles([
      [identity, keys.identity],
      [recipient, keys.recipient],
    ]);
    return { data: { identity, recipient } };
  },
});
