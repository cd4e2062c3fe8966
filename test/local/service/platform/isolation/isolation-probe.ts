import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { endpoints } from "../../../../../functions/index.ts";
import * as dialect from "../../../../../lib/contract/compatibility.ts";
import type { EndpointContract } from "../../../../../lib/contract/endpoint.ts";
import type { TestService } from "../../../../support/service.ts";
import { FunctionTwins } from "./function-twins.ts";
import { decodeBody, findIdLocations, findUuids } from "./id-locations.ts";
import { IsolationTrials } from "./isolation-trials.ts";
import { createOtherTenants, type OtherTenant } from "./other-tenants.ts";

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;

/** Every header that carries a credential. */
const CREDENTIAL_HEADERS = new Set<string>([
  ...dialect.teamKeyHeaders,
  ...dialect.linkTokenHeaders,
  ...dialect.managementKeyHeaders,
  dialect.accessTokenHeader,
  dialect.labKeyHeader,
  dialect.portalSessionHeader,
  dialect.reviewLinkHeader,
  dialect.consoleRequestHeader,
]);
/** Prefix of the ids of default resources, which all teams share. */
const SHARED_ID_PREFIX = "00000000-0000-4000-";
/** How often a request with ids at the same locations is tried. */
const MAX_REPETITIONS = 1;
/** Parameters for the page size, and for the position after a page. */
const PAGE_SIZE_PARAMETER = /^(limit|page_size|user_limit|lab_test_limit)$/;
const CURSOR_PARAMETER = /^(next_cursor|after|cursor)$/;

/**
 * Repeats every request of the observed team just before it is answered, from another organization and from another
 * team of the same organization. Ids of the observed team have to be answered like unknown ids.
 */
export class IsolationProbe {
  /** Operations that other tenants called with foreign ids and that then answered the owner of the ids. */
  readonly compared = new Set<string>();
  /** Operations that they called without foreign ids, because the request has none. */
  readonly asked = new Set<string>();
  /** List operations that they called with the cursor of another team. */
  readonly continued = new Set<string>();
  readonly #service: TestService;
  readonly #trials: IsolationTrials;
  readonly #otherTenants: readonly OtherTenant[];
  readonly #contracts = new Map<string, EndpointContract>();
  /** Ids of the other tenants. */
  readonly #own: ReadonlySet<string>;
  /** Ids that the observed team sent or received. */
  readonly #others = new Set<string>();
  readonly #tried = new Map<string, number>();
  readonly #last = new Map<string, readonly [EndpointContract, string, Event]>();
  #turn: Promise<unknown> = Promise.resolve();
  #isPreparing = false;

  private constructor(service: TestService, otherTenants: readonly OtherTenant[]) {
    this.#service = service;
    this.#otherTenants = otherTenants;
    const { org_id } = service.identity;
    this.#own = new Set(otherTenants.flatMap(({ own }) => Object.values(own)).filter((id) => id !== org_id));
    this.#trials = new IsolationTrials(service, (id) => this.#others.has(id));
    for (const contract of endpoints)
      for (const path of [contract.path, ...contract.aliases])
        this.#contracts.set(`${contract.method} ${path}`, contract);
    const { host } = service.cloud;
    const invoke = host.invoke.bind(host);
    host.invoke = (arn, event) => this.#pass(arn, event as Event, invoke);
  }

  /** Starts to repeat requests. */
  static async start(service: TestService): Promise<IsolationProbe> {
    return new IsolationProbe(service, await createOtherTenants(service));
  }

  get findings() {
    return this.#trials.findings;
  }

  /** Repeats the last requests of all operations with their ids. */
  async askAgain(): Promise<void> {
    this.#tried.clear();
    for (const [contract, arn, event] of this.#last.values()) await this.#try(contract, arn, event);
  }

  async #pass(arn: string, event: Event, invoke: (arn: string, event: unknown) => Promise<unknown>): Promise<unknown> {
    const contract = this.#contracts.get(event?.routeKey);
    // Without a credential every sender of the request is entitled to the response.
    // A tool of an agent calls a route, and this probe repeats that call. It could not wait for itself.
    const isAnybodys = contract === undefined || contract.auth === "none" || contract.callsRoutes;
    if (isAnybodys || this.#isPreparing || FunctionTwins.isTwin(arn)) return invoke(arn, event);
    this.#learn(event.rawPath, event.rawQueryString, decodeBody(event));
    // A fault for the owner must not fail the request of another tenant instead.
    const isQuiet = this.#service.cloud.faults.list().length === 0;
    const tried = isQuiet ? await this.#inTurn(() => this.#try(contract, arn, event)) : undefined;
    const result = (await invoke(arn, event)) as Result;
    if (!result.isBase64Encoded) this.#learn(String(result.body ?? ""));
    if (tried && Number(result.statusCode) < 400) {
      this[tried].add(contract.operationId);
      this.#last.set(contract.operationId, [contract, arn, event]);
      await this.#inTurn(() => this.#continue(contract, arn, event));
    }
    return result;
  }

  #learn(...texts: string[]): void {
    const ids = texts.flatMap(findUuids).filter((id) => !id.startsWith(SHARED_ID_PREFIX) && !this.#own.has(id));
    for (const id of ids) this.#others.add(id);
  }

  /** Runs one at a time: the requests of functions to stores are attributed to the current tenant. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #try(contract: EndpointContract, arn: string, event: Event): Promise<"asked" | "compared"> {
    const places = findIdLocations(event).filter(
      ({ value }) => !this.#own.has(value) && !value.startsWith(SHARED_ID_PREFIX),
    );
    const outcome = places.length === 0 ? "asked" : "compared";
    if (
      !this.#isDue(
        contract,
        places.map(({ where, name }) => `${where} ${name}`),
      )
    )
      return outcome;
    for (const tenant of this.#otherTenants) {
      const theirs = places.filter(({ value }) => !Object.values(tenant.own).includes(value));
      const asTenant = await this.#asTenant(contract, event, tenant);
      const trial = { contract, arn, tenant };
      if (theirs.length === 0) await this.#trials.ask({ ...trial, about: "as it is" }, asTenant);
      else await this.#trials.comparePlaces(trial, asTenant, theirs);
    }
    return outcome;
  }

  #isDue({ operationId }: EndpointContract, about: readonly string[]): boolean {
    const signature = [operationId, ...new Set(about)].join();
    const times = this.#tried.get(signature) ?? 0;
    this.#tried.set(signature, times + 1);
    return times < MAX_REPETITIONS;
  }

  /**
   * Calls a list as another tenant with the cursor of a short page: the response may contain only its own resources.
   */
  async #continue(contract: EndpointContract, arn: string, event: Event): Promise<void> {
    const names = Object.keys(contract.query.shape);
    const [size, after] = [
      names.find((name) => PAGE_SIZE_PARAMETER.test(name)),
      names.find((name) => CURSOR_PARAMETER.test(name)),
    ];
    if (contract.method !== "GET" || after === undefined) return;
    const asking = (more: Record<string, string>): Event => {
      const query = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(event.rawQueryString)), ...more });
      return { ...event, headers: acceptUncompressed(event.headers), rawQueryString: String(query) };
    };
    const page = await this.#trials.answerTo(arn, asking(size === undefined ? {} : { [size]: "1" }));
    const cursor = /"(?:next_cursor|next|after)":"([^"]+)"/.exec(page.body ?? "")?.[1];
    // A list that fits one page now may be longer later.
    if (cursor === undefined || !this.#isDue(contract, ["cursor"])) return;
    this.continued.add(contract.operationId);
    for (const tenant of this.#otherTenants) {
      const asTenant = await this.#asTenant(contract, asking({ [after]: cursor }), tenant);
      await this.#trials.ask({ contract, arn, tenant, about: "cursor" }, asTenant);
    }
  }

  async #asTenant(contract: EndpointContract, event: Event, tenant: OtherTenant): Promise<Event> {
    this.#isPreparing = true;
    const credential = await tenant.credential(contract.auth).finally(() => {
      this.#isPreparing = false;
    });
    const kept = Object.entries(acceptUncompressed(event.headers)).filter(([name]) => !CREDENTIAL_HEADERS.has(name));
    const { cookie, ...headers } = credential;
    const { cookies: _, ...request } = event;
    return { ...request, ...(cookie && { cookies: [cookie] }), headers: { ...Object.fromEntries(kept), ...headers } };
  }
}

/** Removes the header that asks for compression. */
const acceptUncompressed = ({ "accept-encoding": _, ...headers }: Event["headers"]): Event["headers"] => headers;
