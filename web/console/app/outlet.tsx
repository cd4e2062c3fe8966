import { Page } from "../parts/page.tsx";
import { Empty } from "../parts/states.tsx";
import { EventsView } from "../views/events/events-view.tsx";
import { OrderView } from "../views/orders/order-view.tsx";
import { OrdersView } from "../views/orders/orders-view.tsx";
import { ReviewView } from "../views/orders/review-view.tsx";
import { OverviewView } from "../views/overview/overview-view.tsx";
import { ReportView } from "../views/reports/report-view.tsx";
import { TeamView } from "../views/team/team-view.tsx";
import { UserFrame } from "../views/user/user-frame.tsx";
import { UsersView } from "../views/users/users-view.tsx";
import { WebhooksView } from "../views/webhooks/webhooks-view.tsx";
import { type Route, route } from "./route.ts";
import { useStore } from "./store.ts";

/** The view that the address names. */
export function Outlet() {
  return viewOf(useStore(route));
}

function viewOf({ segments, query }: Route) {
  const [first, second, ...rest] = segments;
  if (first === undefined) return <OverviewView />;
  if (first === "users" && second) return <UserFrame userId={second} rest={rest} query={query} />;
  if (first === "users") return <UsersView query={query} />;
  if (first === "events") return <EventsView query={query} />;
  if (first === "orders" && second === "reviews" && rest[0]) return <ReviewView reviewId={rest[0]} />;
  if (first === "orders" && second === "reports" && rest[0]) return <ReportView key={rest[0]} jobId={rest[0]} />;
  if (first === "orders") return second ? <OrderView key={second} orderId={second} /> : <OrdersView />;
  if (first === "webhooks") return <WebhooksView query={query} />;
  if (first === "team") return <TeamView tab={second ?? ""} />;
  return (
    <Page title="Not found">
      <Empty title="There is no such view">Choose one in the navigation, or press Ctrl K.</Empty>
    </Page>
  );
}
