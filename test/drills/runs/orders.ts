import { Progress } from "../../../lib/cli/progress.ts";
import { runOrderDrill } from "../../local/service/orders/order-drill.ts";
import { TestService } from "../../support/service.ts";

/** Places duplicate orders while calls fail. @returns the exit code: 1 when an order is duplicated or missing. */
export async function orders(seed: number): Promise<number> {
  const service = await TestService.start();
  const [keys, copies] = [100, 20];
  const progress = new Progress({ label: "Orders", total: keys, unit: "keys" });
  try {
    const report = await runOrderDrill(service, { keys, copies, seed }, (done) => progress.update(done));
    const { requests, unavailable, timedOut, struck, sentSubmissions } = report;
    const seconds = Math.round(progress.elapsedMs / 1000);
    progress.done(`${keys} keys, each ${copies} times at once (seed ${seed}), ${seconds} s.`);
    process.stdout.write(
      `${struck} injected faults; ${requests} requests, ${unavailable} with status 503, ${timedOut} timed out.\n`,
    );
    process.stdout.write(
      `${report.orders} orders; ${report.submissions} submissions, sent ${sentSubmissions} times.\n`,
    );
    const isOnce = report.orders === keys && report.submissions === keys && report.settledKeys === keys;
    return isOnce && report.strays === 0 ? 0 : 1;
  } finally {
    await service.stop();
  }
}
