/** Kinds of brokers of a team. */
export const brokerKinds = ["azure_amqp", "cloud_pubsub", "rabbitmq"] as const;
/** A kind of broker. */
export type BrokerKind = (typeof brokerKinds)[number];

/**
 * Kinds of destinations: brokers, and `svix` for webhook endpoints, which always receive the events that they subscribe
 * to.
 */
export const destinationKinds = ["svix", ...brokerKinds] as const;

type DestinationKind = (typeof destinationKinds)[number];

/** Preferences of a team that has set none: webhooks alone. */
export const webhooksAlone: { preferred: DestinationKind; enabled: DestinationKind[] } = {
  preferred: "svix",
  enabled: ["svix"],
};
