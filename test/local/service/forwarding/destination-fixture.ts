import { BlobStoragePeer } from "../../../support/peers/blob-storage-peer.ts";
import { EventHubPeer } from "../../../support/peers/event-hub-peer.ts";
import { trustLoopbackCertificate } from "../../../support/peers/loopback-certificate.ts";
import { PubsubPeer } from "../../../support/peers/pubsub-peer.ts";
import { TestService } from "../../../support/service.ts";

/** Destination preferences of a team that uses only event hubs. */
export const eventHubPreferences = { preferred: "azure_amqp", enabled: ["azure_amqp"] };

/** A service with brokers as event destinations of teams. */
export class DestinationFixture {
  readonly service: TestService;
  readonly hubs: EventHubPeer;
  readonly topics: PubsubPeer;
  readonly storage: BlobStoragePeer;

  private constructor(service: TestService, hubs: EventHubPeer, topics: PubsubPeer, storage: BlobStoragePeer) {
    this.service = service;
    this.hubs = hubs;
    this.topics = topics;
    this.storage = storage;
  }

  static async start(): Promise<DestinationFixture> {
    trustLoopbackCertificate();
    const hubs = await EventHubPeer.start("default", "weights");
    const topics = await PubsubPeer.start("projects/project-1/topics/events");
    const storage = await BlobStoragePeer.start("calories");
    return new DestinationFixture(await TestService.start(), hubs, topics, storage);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    this.topics.stop();
    await Promise.all([this.hubs.stop(), this.storage.stop()]);
  }

  /** Deletes all sent and waiting events. */
  clear(): void {
    for (const { url } of this.service.cloud.queues.queues()) this.service.cloud.queues.purge(url);
    this.hubs.records.length = 0;
    this.topics.messages.length = 0;
    this.storage.blobs.length = 0;
  }

  path(query = ""): string {
    return `/v1/org/${this.service.identity.org_id}/team_etl_pipelines/sandbox/us${query}`;
  }

  hub(about: object = {}) {
    return {
      connection_string: this.hubs.connectionString(),
      default_event_hub: "default",
      event_hub_matchers: [{ event_type_prefix: "daily.data.weight.", event_hub: "weights" }],
      ...about,
    };
  }

  topic(about: object = {}) {
    const { endpoint, credentials } = this.topics;
    return { project: "project-1", topic: "events", message_ordering: true, endpoint, credentials, ...about };
  }

  draft(teamId: string, about: object = {}) {
    return { team_ids: [teamId], preferences: eventHubPreferences, azure_amqp: this.hub(), ...about };
  }

  set(teamId: string, about: object = {}) {
    return this.service.manage("POST", this.path(), { body: this.draft(teamId, about) });
  }

  remove(teamId: string) {
    return this.service.manage("DELETE", this.path(`?team_id=${teamId}`));
  }

  /** Returns the types of the events that the event hubs received, sorted. */
  get receivedTypes(): string[] {
    return this.hubs.records.map(({ data }) => data.event_type).sort();
  }

  /** Returns the reasons of the dead letters of the team forwarder. */
  async reasons(): Promise<unknown[]> {
    const queues = this.service.cloud.queues.queues();
    const queue = queues.find(({ name }) => name.includes("QueueteamForwardsQueue"));
    const dead = queues.find(({ arn }) => arn === queue?.redrive?.deadLetterArn);
    const letters = await this.service.cloud.queues.receive(dead?.url ?? "", { max: 10 });
    return letters.map(({ attributes }) => attributes.reason?.StringValue ?? "tried five times");
  }
}
