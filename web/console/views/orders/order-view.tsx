import { getOrder, type Order } from "../../api/orders.ts";
import { useLoad } from "../../api/use-load.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Page } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { AppointmentSection } from "./appointment.tsx";
import { Documents } from "./documents.tsx";
import { OrderSteps } from "./order-steps.tsx";
import { ResultSection } from "./result-section.tsx";

/** One order: its steps, its appointment, its result with ranges and trend, its documents. */
export function OrderView({ orderId }: { readonly orderId: string }) {
  const load = useLoad(`order ${orderId}`, (signal) => getOrder(orderId, signal));
  return (
    <Page title="Order" trail={<Link to="/orders">Orders</Link>} actions={<Documents orderId={orderId} />}>
      <Loaded load={load} lines={6}>
        {(order) => (
          <>
            <OrderFacts order={order} />
            <OrderSteps events={order.events} />
            <AppointmentSection order={order} />
            <ResultSection order={order} />
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
