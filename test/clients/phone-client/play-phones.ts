import { spawn } from "node:child_process";
import { once } from "node:events";
import { TestService } from "../../support/service.ts";

/** Runs `java` with the arguments, and with the address and the API key of a service that lives as long as it. */
const service = await TestService.start();
try {
  const options = [...process.argv.slice(2), service.baseUrl, service.identity.api_key];
  const [code] = await once(spawn("java", options, { stdio: "inherit" }), "exit");
  process.exitCode = code ?? 1;
} finally {
  await service.stop();
}
