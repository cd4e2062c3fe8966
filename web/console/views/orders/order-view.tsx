import { useState } from "preact/hooks";
import { getOrder, getResult, type Order, type OrderEvent, type OrderResult } from "../../api/orders.ts";
import { requestFile } from "../../api/request.ts";
import { toProblem, useLoad } from "../../api/use-load.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Page, Section } from "../../parts/page.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { ResultTable } from "./result-table.tsx";

/** One order: its steps, its result with ranges, its documents. */
export function OrderView({ orderId }: { readonly orderId: string }) {
  const order = useLoad(`order ${orderId}`, (signal) => getOrder(orderId, signal));
  const result = useLoad(`result ${orderId}`, (signal) => getResult(orderId, signal));
  return (
    <Page title="Order" trail={<Link to="/orders">Orders</Link>} actions={<Documents orderId={orderId} />}>
      <Loaded load={order} lines={6}>
        {(known) => (
          <>
            <OrderFacts order={known} />
            <Section title="Result">
              <Loaded load={result}>{(found) => <Result result={found} />}</Loaded>
            </Section>
            <Section title="Steps">
              <Table
                label="Steps of the order"
                columns={steps}
                rows={known.events.toReversed()}
                keyOf={({ id }) => String(id)}
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function OrderFacts({ order }: { readonly order: Order }) {
  const { id, user_id, lab_test, status, origin, created_at, patient_details: patient } = order;
  return (
    <Facts
      facts={[
        ["Lab test", lab_test.name],
        ["Laboratory", lab_test.lab?.name ?? "–"],
        ["Collection", humanize(lab_test.method)],
        ["State", <Badge key="state" state={status} />],
        ["Patient", patient ? `${patient.first_name} ${patient.last_name}, born ${patient.dob.slice(0, 10)}` : "–"],
        [
          "User",
          <Link key="user" to={`/users/${user_id}`}>
            {user_id}
          </Link>,
        ],
        ["Order id", <CopyId key="id" id={id} label="order id" />],
        ["Origin", humanize(origin)],
        ["Created", <Instant key="created" at={created_at} />],
      ]}
    />
  );
}

const steps: readonly Column<OrderEvent>[] = [
  { name: "When", cell: ({ created_at }) => <Instant at={created_at} /> },
  { name: "Step", cell: ({ status }) => humanize(status.split(".").at(-1) ?? status) },
  { name: "Status", isWide: true, cell: ({ status }) => <code>{status}</code> },
  { name: "Detail", isWide: true, cell: ({ status_detail }) => status_detail ?? "" },
];

function Result({ result }: { readonly result: OrderResult | null }) {
  if (!result) return <Empty title="No result yet">It appears here once the laboratory reports it.</Empty>;
  const { laboratory, status, interpretation, date_collected, date_reported } = result.metadata;
  const missing = result.missing_results ?? [];
  return (
    <>
      <Facts
        facts={[
          ["Interpretation", <Badge key="interpretation" state={interpretation} />],
          ["Report", <Badge key="status" state={status} tone={status === "final" ? "good" : "warn"} />],
          ["Laboratory", laboratory ?? "–"],
          ["Collected", <Instant key="collected" at={date_collected} />],
          ["Reported", <Instant key="reported" at={date_reported} />],
        ]}
      />
      <ResultTable results={result.results} />
      {missing.length > 0 ? (
        <p>Missing: {missing.map(({ name, inferred_failure_type: why }) => `${name} (${humanize(why)})`).join(", ")}</p>
      ) : null}
    </>
  );
}

const documents = [
  ["Result", "result/pdf"],
  ["Requisition", "requisition/pdf"],
] as const;

function Documents({ orderId }: { readonly orderId: string }) {
  const [said, setSaid] = useState("");
  const save = async (name: string, path: string) => {
    setSaid("");
    try {
      saveFile(`${name.toLowerCase()}.pdf`, await requestFile(`/v3/order/${orderId}/${path}`));
    } catch (error) {
      setSaid(`${name}: ${toProblem(error).status === 404 ? "not available yet" : toProblem(error).message}`);
    }
  };
  return (
    <>
      <span class="quiet small" role="status">
        {said}
      </span>
      {documents.map(([name, path]) => (
        <button key={path} type="button" onClick={() => save(name, path)}>
          {name} (PDF)
        </button>
      ))}
    </>
  );
}
