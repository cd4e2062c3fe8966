import type { ContractWorld } from "../contract/contract-world.ts";

/** Changes a request of the TypeScript client to what a method of another client takes. */
type AdaptRequest = (request: Record<string, unknown>, world: ContractWorld) => object | Promise<object>;
/** Adaptations of a client: `resource.method` -> its adaptation. */
export type Adaptations = Readonly<Record<string, AdaptRequest>>;

/** Leaves out optional fields that the method has not. */
const without =
  (...names: readonly string[]): AdaptRequest =>
  (request) =>
    Object.fromEntries(Object.entries(request).filter(([name]) => !names.includes(name)));

/** Of clients that know a lab test by its markers, and fewer laboratories. */
const olderClient: Adaptations = {
  "labTests.create": async ({ name, method, description }, { client }) => {
    const { markers } = await client.labTests.getMarkers({ labSlug: "quest", name: "glucose", size: 1 });
    return { name, method, description, markerIds: markers.map(({ id }) => id) };
  },
  "labTests.bookPscAppointment": without("idempotencyKey"),
  "labTests.getAreaInfo": (request) => ({ ...request, labs: ["quest"] }),
  "labTests.getMarkers": without("labSlug"),
};

/** Of the older Node client. */
export const olderNodeClient: Adaptations = {
  ...olderClient,
  "labReport.parserCreateJob": ({ file, ...request }) => ({ ...request, file: (file as unknown[])[0] }),
  // The body is a field of its own in this client, also when nothing stands beside it.
  "labTests.getPhlebotomyAppointmentAvailability": (request) => ({ ...request, startDate: undefined }),
};

/** Of the newer Python client. */
export const pythonClient: Adaptations = {
  "link.connectEmailAuthProvider": ({ provider, ...request }) => ({
    ...request,
    emailProviderAuthLinkProvider: provider,
  }),
  "user.getConnectedProviders": without("provider"),
};

/** Of the older Python client. */
export const olderPythonClient: Adaptations = {
  ...olderClient,
  ...pythonClient,
  "labTests.getPscAppointmentAvailability": without("lab", "allowStale"),
};
