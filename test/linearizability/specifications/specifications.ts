import type { ObjectKind } from "../operation.ts";
import type { Specification } from "../specification.ts";
import { connectionsSpecification } from "./connections.ts";
import { endpointsSpecification } from "./endpoints.ts";
import { feedSpecification } from "./feed.ts";
import { ordersSpecification } from "./orders.ts";
import { receiptsSpecification } from "./receipts.ts";
import { samplesSpecification } from "./samples.ts";
import { usersSpecification } from "./users.ts";

// biome-ignore lint/suspicious/noExplicitAny: each specification has states of its own
export const specifications: Readonly<Record<ObjectKind, Specification<any>>> = {
  users: usersSpecification,
  connections: connectionsSpecification,
  orders: ordersSpecification,
  receipts: receiptsSpecification,
  samples: samplesSpecification,
  feed: feedSpecification,
  endpoints: endpointsSpecification,
};
