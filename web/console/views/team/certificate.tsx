import { type Certificate, getCertificate } from "../../api/deletions.ts";
import { useLoad } from "../../api/use-load.ts";
import { CopyId } from "../../parts/copy-id.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Json } from "../../parts/json.tsx";
import { formatNumber, humanize } from "../../parts/numbers.ts";
import { Loaded } from "../../parts/states.tsx";

/** The certificate of an erased user: when, what was deleted where, and what a last search found. */
export function CertificateOf({ userId }: { readonly userId: string }) {
  const load = useLoad(`certificate ${userId}`, (signal) => getCertificate(userId, signal));
  return <Loaded load={load}>{(certificate) => <CertificateFacts certificate={certificate} />}</Loaded>;
}

const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, one) => total + one, 0);

function CertificateFacts({ certificate }: { readonly certificate: Certificate }) {
  const { deletion_id, requested_at, erased_at, stores, consents, scan } = certificate;
  const outcomes = Object.entries(consents).filter(([, count]) => count > 0);
  return (
    <>
      <Facts
        facts={[
          ["Requested", <Instant key="requested" at={requested_at} />],
          ["Erased", <Instant key="erased" at={erased_at} />],
          ["Deletion id", <CopyId key="id" id={deletion_id} label="deletion id" />],
          ["Erased items and objects", formatNumber(sum(stores))],
          ["Last search", `${formatNumber(scan.found)} left in ${formatNumber(scan.places)} places`],
          [
            "Consents",
            outcomes.length === 0 ? "none" : outcomes.map(([name, count]) => `${count} ${humanize(name)}`).join(", "),
          ],
        ]}
      />
      <Json label="Certificate" value={certificate} />
    </>
  );
}
