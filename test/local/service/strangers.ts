import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { endpoints } from "../../../functions/index.ts";
import * as dialect from "../../../lib/contract/dialect.ts";
import type { EndpointContract } from "../../../lib/contract/endpoint.ts";
import type { TestService } from "../../support/service.ts";
import { Twins } from "./door-watch.ts";
import { bodyOf, idPlacesOf, uuidsIn } from "./id-places.ts";
import { type Stranger, strangersTo } from "./stranger-world.ts";
import { Trials } from "./trials.ts";

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;

/** Every header that carries a credential. */
const CREDENTIALS = new Set<string>([
  ...dialect.teamKeyHeaders,
  ...dialect.linkTokenHeaders,
  ...dialect.managementKeyHeaders,
  dialect.accessTokenHeader,
  dialect.labKeyHeader,
  dialect.portalSessionHeader,
  dialect.reviewLinkHeader,
]);
/** What all teams begin with has ids that begin so. */
const EVERYBODYS = "00000000-0000-4000-";
/** So often a request with ids in the same places is tried. */
const TIMES = 1;
/** Parameters that ask for a short page, and for what comes after one. */
const SIZE = /^(limit|page_size|user_limit|lab_test_limit)$/;
const AFTER = /^(next_cursor|after|cursor)$/;

/**
 * Asks for everything that others ask for just before they are answered: the same request from another organisation and
 * from another team of the same one. Ids of others have to be answered as ids of nobody are.
 */
export class Strangers {
  /** Operations that strangers asked for with ids of others, and that then answered those whose ids they are. */
  readonly compared = new Set<string>();
  /** Operations that they asked for with no ids of others, as there are none in the request. */
  readonly asked = new Set<string>();
  /** Operations that they asked to go on from where a page of others ends. */
  readonly continued = new Set<string>();
  readonly #service: TestService;
  readonly #trials: Trials;
  readonly #strangers: readonly Stranger[];
  readonly #contracts = new Map<string, EndpointContract>();
  /** Ids of strangers. */
  readonly #own: ReadonlySet<string>;
  /** Ids that others have sent or were told. */
  readonly #others = new Set<string>();
  readonly #tried = new Map<string, number>();
  readonly #last = new Map<string, readonly [EndpointContract, string, Event]>();
  #turn: Promise<unknown> = Promise.resolve();
  #isPreparing = false;

  private constructor(service: TestService, strangers: readonly Stranger[]) {
    this.#service = service;
    this.#strangers = strangers;
    const { org_id } = service.identity;
    this.#own = new Set(strangers.flatMap(({ own }) => Object.values(own)).filter((id) => id !== org_id));
    this.#trials = new Trials(service, (id) => this.#others.has(id));
    for (const contract of endpoints)
      for (const path of [contract.path, ...contract.aliases])
        this.#contracts.set(`${contract.method} ${path}`, contract);
    const { host } = service.cloud;
    const invoke = host.invoke.bind(host);
    host.invoke = (arn, event) => this.#pass(arn, event as Event, invoke);
  }

  /** Lets strangers in from here on. */
  static async among(service: TestService): Promise<Strangers> {
    return new Strangers(service, await strangersTo(service));
  }

  get findings() {
    return this.#trials.findings;
  }

  /** Asks again for everything with the ids of before. */
  async askAgain(): Promise<void> {
    this.#tried.clear();
    for (const [contract, arn, event] of this.#last.values()) await this.#try(contract, arn, event);
  }

  async #pass(arn: string, event: Event, invoke: (arn: string, event: unknown) => Promise<unknown>): Promise<unknown> {
    const contract = this.#contracts.get(event?.routeKey);
    // Where nothing but the request itself is the credential, whoever sends it is no stranger.
    const isAnybodys = contract === undefined || contract.auth === "none";
    if (isAnybodys || this.#isPreparing || Twins.isOne(arn)) return invoke(arn, event);
    this.#learn(event.rawPath, event.rawQueryString, bodyOf(event));
    // What is to fail for others must not fail for strangers in their place.
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
    const ids = texts.flatMap(uuidsIn).filter((id) => !id.startsWith(EVERYBODYS) && !this.#own.has(id));
    for (const id of ids) this.#others.add(id);
  }

  /** One after the other: what functions ask of stores is known by the stranger of the moment. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #try(contract: EndpointContract, arn: string, event: Event): Promise<"asked" | "compared"> {
    const places = idPlacesOf(event).filter(({ value }) => !this.#own.has(value) && !value.startsWith(EVERYBODYS));
    const outcome = places.length === 0 ? "asked" : "compared";
    if (
      !this.#isDue(
        contract,
        places.map(({ where, name }) => `${where} ${name}`),
      )
    )
      return outcome;
    for (const stranger of this.#strangers) {
      const theirs = places.filter(({ value }) => !Object.values(stranger.own).includes(value));
      const asStranger = await this.#asStranger(contract, event, stranger);
      const trial = { contract, arn, stranger };
      if (theirs.length === 0) await this.#trials.ask({ ...trial, about: "as it is" }, asStranger);
      else await this.#trials.comparePlaces(trial, asStranger, theirs);
    }
    return outcome;
  }

  #isDue({ operationId }: EndpointContract, about: readonly string[]): boolean {
    const signature = [operationId, ...new Set(about)].join();
    const times = this.#tried.get(signature) ?? 0;
    this.#tried.set(signature, times + 1);
    return times < TIMES;
  }

  /** Has strangers go on from where a short page of others ends: what they are answered may be their own only. */
  async #continue(contract: EndpointContract, arn: string, event: Event): Promise<void> {
    const names = Object.keys(contract.query.shape);
    const [size, after] = [names.find((name) => SIZE.test(name)), names.find((name) => AFTER.test(name))];
    if (contract.method !== "GET" || after === undefined) return;
    const asking = (more: Record<string, string>): Event => {
      const query = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(event.rawQueryString)), ...more });
      return { ...event, headers: legible(event.headers), rawQueryString: String(query) };
    };
    const page = await this.#trials.answerTo(arn, asking(size === undefined ? {} : { [size]: "1" }));
    const cursor = /"(?:next_cursor|next|after)":"([^"]+)"/.exec(page.body ?? "")?.[1];
    // A list that is all on one page now may be longer at another time.
    if (cursor === undefined || !this.#isDue(contract, ["cursor"])) return;
    this.continued.add(contract.operationId);
    for (const stranger of this.#strangers) {
      const asStranger = await this.#asStranger(contract, asking({ [after]: cursor }), stranger);
      await this.#trials.ask({ contract, arn, stranger, about: "cursor" }, asStranger);
    }
  }

  async #asStranger(contract: EndpointContract, event: Event, stranger: Stranger): Promise<Event> {
    this.#isPreparing = true;
    const credential = await stranger.credential(contract.auth).finally(() => {
      this.#isPreparing = false;
    });
    const kept = Object.entries(legible(event.headers)).filter(([name]) => !CREDENTIALS.has(name));
    return { ...event, headers: { ...Object.fromEntries(kept), ...credential } };
  }
}

/** Headers without the one that has an answer compressed, which can not be read here. */
const legible = ({ "accept-encoding": _, ...headers }: Event["headers"]): Event["headers"] => headers;
