import { declareCommand } from "../frame/declaration.ts";

export const start = declareCommand({
  name: "start",
  summary: "Runs the whole service on this machine",
  description: [
    "PORT sets the port of the API (3000), MANAGEMENT_PORT that of the management API (the next one), and DATA_DIR",
    "the folder of the data (.local). Ctrl+C stops the service; its data stays.",
  ],
  examples: [["start", "prints addresses, keys and first requests"]],
  run: async () => {
    const { runLocalService } = await import("../start/run-local-service.ts");
    await runLocalService();
    return undefined;
  },
});
