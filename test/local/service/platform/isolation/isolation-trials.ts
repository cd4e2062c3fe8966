import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type { EndpointContract } from "../../../../../lib/contract/endpoint.ts";
import type { TestService } from "../../../../support/service.ts";
import { FunctionTwins, findIsolationViolation } from "./function-twins.ts";
import {
  createUnknownId,
  decodeBody,
  findSentUuids,
  findUuids,
  type IdLocation,
  isSingleUse,
  isUuid,
  maskIds,
  replaceId,
} from "./id-locations.ts";
import type { OtherTenant } from "./other-tenants.ts";

type Event = APIGatewayProxyEventV2;

/** Results of other tenants' requests. */
export interface IsolationFindings {
  readonly leaks: string[];
  requests: number;
  /** Pairs of requests that have to get the same response: one with foreign ids, one with unknown ids. */
  comparisons: number;
  /** Requests of functions to stores, queues and the event bus for other tenants. */
  storeRequests: number;
}

/** One request of another tenant. */
export interface IsolationRequest {
  readonly contract: EndpointContract;
  readonly arn: string;
  readonly tenant: OtherTenant;
  readonly about: string;
}

/** Sends requests of other tenants, and records what is wrong with the responses. */
export class IsolationTrials {
  readonly findings: IsolationFindings = { leaks: [], requests: 0, comparisons: 0, storeRequests: 0 };
  readonly #service: TestService;
  readonly #twins: FunctionTwins;
  readonly #isOthers: (id: string) => boolean;
  readonly #used = new Set<string>();

  /** @param isOthers whether the observed team sent or received an id. */
  constructor(service: TestService, isOthers: (id: string) => boolean) {
    this.#service = service;
    this.#twins = new FunctionTwins(service.cloud);
    this.#isOthers = isOthers;
  }

  /** Sends foreign ids at all locations, then at each location with the tenant's own or the original ids elsewhere. */
  async comparePlaces(
    trial: Omit<IsolationRequest, "about">,
    asIs: Event,
    places: readonly IdLocation[],
  ): Promise<void> {
    const lasting = places.filter((place) => !isSingleUse(place));
    if (lasting.length > 1) {
      const unknown = () => this.#replaced(asIs, places, () => undefined);
      const others = this.#replaced(asIs, places, (place) => (isSingleUse(place) ? undefined : place.value));
      await this.#compare({ ...trial, about: "all ids" }, others, unknown());
    }
    for (const place of places) await this.#comparePlace(trial, asIs, places, place);
  }

  async #comparePlace(
    trial: Omit<IsolationRequest, "about">,
    asIs: Event,
    places: readonly IdLocation[],
    place: IdLocation,
  ) {
    const { name, value, where } = place;
    const { own } = trial.tenant;
    if (isSingleUse(place)) {
      const use = `${trial.tenant.name} ${trial.contract.operationId} ${value}`;
      if (this.#used.has(use)) return;
      this.#used.add(use);
    }
    const withValue = (given: string | undefined) =>
      this.#replaced(asIs, places, (other) => {
        if (other === place) return given;
        return own[other.name.replace(/s$/, "")] ?? (isSingleUse(other) ? undefined : other.value);
      });
    const about = `${where} ${name}`;
    await this.#compare({ ...trial, about }, withValue(value), withValue(undefined), value);
    const { team_id, org_id } = this.#service.identity;
    const ofAnotherKind = withValue(value === team_id ? org_id : team_id);
    if (isUuid(value))
      await this.#compare({ ...trial, about: `${about} of another kind` }, ofAnotherKind, withValue(undefined));
  }

  /** Replaces the values of a request; a missing value becomes an unknown id. */
  #replaced(event: Event, places: readonly IdLocation[], valueAt: (place: IdLocation) => string | undefined): Event {
    return places.reduce((made, place) => replaceId(made, place, valueAt(place) ?? createUnknownId(place)), event);
  }

  /** @param echoed an id that the response may contain because the request does. */
  async #compare(trial: IsolationRequest, event: Event, nobodys: Event, echoed?: string): Promise<void> {
    this.findings.comparisons += 1;
    const expected = await this.ask(trial, nobodys);
    const answered = await this.ask(trial, event);
    const found = echoed === undefined ? answered : answered.replaceAll(`"${echoed}"`, '"id"');
    if (found !== expected) this.#leak(trial, event, `is answered\n  ${found}\nand unknown ids\n  ${expected}`);
  }

  /** Sends a request of a tenant. @returns the response without the variable parts. */
  async ask(trial: IsolationRequest, event: Event): Promise<string> {
    const sent = new Set(findSentUuids([event.rawPath, event.rawQueryString, decodeBody(event)].join(" ")));
    const own = Object.values(trial.tenant.own);
    const isOthers = (id: string) => this.#isOthers(id) && !own.includes(id);
    this.#twins.onRequest = (arrived) => {
      this.findings.storeRequests += 1;
      const trespass = findIsolationViolation(arrived, { own, sent, isOthers });
      if (trespass) this.#leak(trial, event, trespass);
    };
    const { statusCode: status = 0, body = "" } = await this.#invoke(trial.arn, event);
    this.findings.requests += 1;
    const leaked = findUuids(body).filter((id) => isOthers(id) && !sent.has(id));
    if (leaked.length > 0) this.#leak(trial, event, `receives ${leaked}: ${body.slice(0, 300)}`);
    // A response to a refused credential proves nothing about ids.
    if (status >= 500 || status === 401 || status === 429)
      this.#leak(trial, event, `proves nothing: ${status} ${body}`);
    return `${status} ${maskIds(body)}`;
  }

  /** Returns the response of a function's twin to the owner. */
  async answerTo(arn: string, event: Event): Promise<APIGatewayProxyStructuredResultV2> {
    this.#twins.onRequest = () => undefined;
    return this.#invoke(arn, event);
  }

  async #invoke(arn: string, event: Event): Promise<APIGatewayProxyStructuredResultV2> {
    return (await this.#twins.invoke(arn, event)) as APIGatewayProxyStructuredResultV2;
  }

  #leak({ contract, tenant, about }: IsolationRequest, event: Event, what: string): void {
    const request = `${contract.operationId} ${event.rawPath}?${event.rawQueryString} ${decodeBody(event).slice(0, 200)}`;
    this.findings.leaks.push(`${tenant.name}, ${about}: ${request}\n${what}`);
  }
}
