import { webhookTag } from "./webhooks.ts";

/** A group of tags in the reference, with what each tag covers. */
interface TagGroup {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** The tags of all routes, in the order of the reference. A tag is a folder of `functions/`. */
const groups: readonly TagGroup[] = [
  {
    name: "Users and connections",
    tags: {
      users: "The people whose data a team holds: their ids, time zone, demographics, and deletion.",
      link: "Connect a user's provider accounts: link tokens, OAuth, credentials, and the page that a user sees.",
      providers: "The providers that a user can connect, what each delivers, and what the user agreed to.",
      sdk: "What a phone calls: it signs in for a user and sends health data in the background.",
    },
  },
  {
    name: "Health data",
    tags: {
      ingest: "Send samples and summaries of a user, and read what became of each batch.",
      timeseries: "Samples of a user, page by page: heart rate, glucose, steps and many more.",
      summaries: "Records of a day or a session: activity, sleep, workouts, body, meals, and others.",
      aggregation: "Queries that aggregate a user's data, and continuous queries whose results arrive as events.",
      agents: "Tools with which agents read data, by the Model Context Protocol.",
      exports: "A copy of everything that the service holds about a user.",
      fhir: "A user's data and lab results as FHIR R4 resources, to read and search.",
    },
  },
  {
    name: "Events",
    tags: {
      [webhookTag.name]: webhookTag.description,
      portal: "The pages that a team embeds for the people who watch its webhooks.",
    },
  },
  {
    name: "Lab testing",
    tags: {
      "lab-tests": "Laboratories, markers, panels and the lab tests of a team.",
      compendium: "Search the catalogue of markers, and convert orders from one laboratory to another.",
      orders: "Order a lab test for a user, follow its status, and cancel it.",
      "order-documents": "Requisitions, labels and instructions of an order.",
      appointments: "Availability, booking and cancellation of phlebotomy and patient service center appointments.",
      places: "Patient service centers and phlebotomy areas near an address.",
      insurance: "Insurance policies of a user, payors and diagnosis codes.",
      results: "Results of orders: values, reference ranges, and documents.",
      "unmatched-results": "Results that match no order yet, and the reviews that match them.",
      "lab-reports": "Read the values of a lab report that a user uploads, and review them beside its pages.",
    },
  },
  {
    name: "Organisation",
    tags: {
      team: "The team behind a key: its settings, and what it may use.",
      console: "The pages on which people of a team see its users, data and events: sessions, series and counts.",
      management: "Teams of an organisation: settings, limits, usage, access log and deletion.",
      "management-keys": "Team API keys, access tokens and management keys.",
      "management-providers": "A team's own provider apps, and how data of each provider is pulled.",
      "management-labs": "Lab accounts of an organisation.",
      "management-queries": "Continuous queries of a team.",
      "management-webhooks": "Webhook endpoints of a team: headers, secrets, messages and replays.",
    },
  },
  { name: "Service", tags: { service: "Health of the deployment, this document, and files." } },
];

/** Abbreviations among the words of tags. */
const abbreviations: Readonly<Record<string, string>> = { sdk: "SDK", fhir: "FHIR" };
/** The title of a tag: `lab-tests` becomes `Lab tests`. */
const titleOf = (name: string) =>
  abbreviations[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");

/** The descriptions of all tags of routes, with titles as renderers read them (`x-displayName`). */
export const tags = groups.flatMap((group) =>
  Object.entries(group.tags).map(([name, description]) => ({ name, "x-displayName": titleOf(name), description })),
);

/** The groups of tags, as renderers read them (`x-tagGroups`). */
export const tagGroups = groups.map((group) => ({ name: group.name, tags: Object.keys(group.tags) }));
