import { randomUUID } from "node:crypto";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collectionMethods } from "../../../../lib/domain/lab-tests/wire-lab-test.ts";
import { type Answer, TestService } from "../../../support/service.ts";

type Body = Answer["body"];

const QUEST = 4;
const LABCORP = 6;

let service: TestService;
let ofSeed: Body[];
let other: { teamId: string; key: string };
beforeAll(async () => {
  service = await TestService.start();
  ofSeed = (await read("/v3/lab_test/lab_account")).data;
  other = await service.createTeam("Another team");
});
afterAll(() => service.stop());

async function read(path: string, key?: string): Promise<Body> {
  const { status, body } = await service.call("GET", path, key ? { key } : {});
  expect([path, status]).toEqual([path, 200]);
  return body;
}
const statusOf = async (path: string) => (await service.call("GET", path)).status;
const markers = (query: string) => read(`/v3/lab_tests/markers?${query}`);
const labIdsOf = ({ markers }: Body) => [...new Set(markers.map(({ lab_id }: Body) => lab_id))];
const accountAt = (lab: string, status = "active"): Body =>
  ofSeed.find((account) => account.lab === lab && account.status === status);
const post = (path: string, body: unknown) => service.call("POST", path, { body });
const orderSet = async (body: unknown, query = ""): Promise<Body> => {
  const answer = await post(`/v3/lab_tests/list_order_set_markers${query}`, body);
  expect([answer.body, answer.status]).toEqual([answer.body, 200]);
  return answer.body;
};
const wellness = async (): Promise<Body> =>
  (await read("/v3/lab_test?lab_slug=quest&collection_method=walk_in_test")).data[0];

describe("laboratories", () => {
  test("are listed as an array, whatever the parameters [lab-testing-catalogue-01]", async () => {
    const labs = await read("/v3/lab_tests/labs");
    expect(labs.length).toBeGreaterThanOrEqual(15);
    expect(await read("/v3/lab_tests/labs?lab_slug=quest&page=7")).toEqual(labs);
  });

  test("have all documented fields [lab-fields-01]", async () => {
    for (const lab of await read("/v3/lab_tests/labs")) {
      expect(lab).toEqual({
        id: expect.any(Number),
        slug: expect.stringMatching(/^[a-z_]+$/),
        name: expect.any(String),
        first_line_address: expect.any(String),
        city: expect.any(String),
        zipcode: expect.stringMatching(/^\d{5}$/),
        collection_methods: expect.any(Array),
        sample_types: expect.any(Array),
        logo_url: null,
      });
    }
  });

  test("document their collection methods and sample types as open enums [lab-fields-02] [lab-fields-03]", async () => {
    const { components } = await read("/openapi.json");
    const { collection_methods, sample_types } = components.schemas.Lab.properties;
    expect(collection_methods.items).toMatchObject({ type: "string", "x-known-values": [...collectionMethods] });
    expect(sample_types.items.type).toBe("string");
    expect(sample_types.items["x-known-values"].toSorted()).toEqual([
      "arm_collector",
      "dried_blood_spot",
      "saliva",
      "serum",
      "stool",
      "urine",
    ]);
    expect([collection_methods.items.enum, sample_types.items.enum]).toEqual([undefined, undefined]);
  });
});

describe("markers", () => {
  test("have the lab's test code, their kind and their results with LOINC codes [marker-fields-01] [marker-fields-02] [marker-fields-04] [marker-fields-05] [marker-fields-06]", async () => {
    const pages = await Promise.all([1, 2].map((page) => markers(`lab_slug=quest&size=100&page=${page}`)));
    const found = pages.flatMap((page) => page.markers);
    for (const marker of found) {
      expect(marker).toMatchObject({
        id: expect.any(Number),
        lab_id: QUEST,
        price: expect.stringMatching(/^\d+\.\d\d$/),
      });
      for (const name of ["name", "slug", "description", "type", "provider_id"])
        expect(marker[name]).toBeTypeOf("string");
      for (const result of marker.expected_results) {
        expect(result).toMatchObject({ id: expect.any(Number), lab_id: QUEST, provider_id: marker.provider_id });
        expect(result.loinc).toMatchObject({ id: expect.any(Number), code: expect.stringMatching(/^\d+-\d$/) });
        for (const name of ["name", "slug"])
          expect([result[name], result.loinc[name]]).toEqual([expect.any(String), expect.any(String)]);
      }
    }
    expect(await read(`/v3/lab_tests/${QUEST}/markers/${found[0].provider_id}`)).toEqual(found[0]);
    expect(new Set(found.map(({ type }: Body) => type))).toEqual(new Set(["biomarker", "panel"]));
  });

  test("have a unit, or null for a textual result and for a panel with several units [marker-fields-03]", async () => {
    const [one, panel, words] = await Promise.all(
      ["90101", "90506", "90220"].map((code) => read(`/v3/lab_tests/${QUEST}/markers/${code}`)),
    );
    expect([one.unit, panel.unit, words.unit, words.expected_results[0].loinc.unit]).toEqual([
      "mg/dL",
      null,
      null,
      null,
    ]);
  });

  test("are filtered by the lab's id or slug [lab-testing-catalogue-02] [lab-testing-catalogue-03]", async () => {
    expect(labIdsOf(await markers(`lab_id=${LABCORP}`))).toEqual([LABCORP]);
    expect(labIdsOf(await markers("lab_slug=labcorp"))).toEqual([LABCORP]);
    const both = await markers(`lab_id=${LABCORP}&lab_id=3&name=lipid`);
    expect(labIdsOf(both).toSorted()).toEqual([3, LABCORP]);
  });

  test("follow the slug if the request also names an id [lab-testing-catalogue-04]", async () => {
    expect(labIdsOf(await markers(`lab_id=${LABCORP}&lab_slug=quest`))).toEqual([QUEST]);
  });

  test("are limited to those available to the lab account [lab-testing-catalogue-05]", async () => {
    const { id } = accountAt("quest");
    expect(labIdsOf(await markers(`lab_account_id=${id}&size=100`))).toEqual([QUEST]);
    expect(await statusOf(`/v3/lab_tests/${QUEST}/markers/90101?lab_account_id=${id}`)).toBe(200);
    expect(await statusOf(`/v3/lab_tests/${LABCORP}/markers/300101?lab_account_id=${id}`)).toBe(404);
    expect(await statusOf(`/v3/lab_tests/markers?lab_account_id=${randomUUID()}`)).toBe(404);
    const theirs = await service.call("GET", `/v3/lab_tests/markers?lab_account_id=${id}`, { key: other.key });
    expect(theirs.status).toBe(404);
  });

  test("are limited to the slug's lab if the request also names an account [lab-testing-catalogue-06]", async () => {
    const { id } = accountAt("quest");
    expect(labIdsOf(await markers(`lab_account_id=${id}&lab_slug=quest`))).toEqual([QUEST]);
    expect((await markers(`lab_account_id=${id}&lab_slug=labcorp`)).total).toBe(0);
  });

  test("are found by name or test code of a biomarker or panel [lab-testing-catalogue-07]", async () => {
    const named = async (name: string) =>
      (await markers(`lab_slug=quest&name=${encodeURIComponent(name)}`)).markers.map(({ name }: Body) => name);
    expect(await named("hemoglobin a1c")).toContain("Hemoglobin A1c");
    expect(await named("A1C hemoglobn")).toContain("Hemoglobin A1c");
    expect((await named("lipid panel"))[0]).toBe("Lipid panel");
    expect(await named("90506")).toEqual(["Lipid panel"]);
    expect(await named("no such thing")).toEqual([]);
  });

  test("are filtered by whether they can be ordered alone", async () => {
    const [all, alone, within] = await Promise.all(
      ["", "&a_la_carte_enabled=true", "&a_la_carte_enabled=false"].map(async (query) =>
        markers(`lab_slug=quest${query}`),
      ),
    );
    expect(within.total).toBeGreaterThan(0);
    expect(alone.total + within.total).toBe(all.total);
    expect(within.markers.every(({ a_la_carte_enabled }: Body) => !a_la_carte_enabled)).toBe(true);
  });

  test("include prices in cents on request", async () => {
    const { pricing, markers: found } = await markers("lab_slug=quest&include_pricing=true&size=3");
    const expected = found.map(({ id, price }: Body) => [
      id,
      { base_amount_minor: Math.round(price * 100), modifiers: null },
    ]);
    expect(pricing).toEqual({ currency: "USD", data: Object.fromEntries(expected) });
    expect((await markers("size=1")).pricing).toBeNull();
  });

  test("are listed in pages of 1 to 100 with their total [lab-testing-catalogue-08] [lab-testing-catalogue-09] [limits-03]", async () => {
    const first = await markers("lab_slug=quest&size=100");
    const second = await markers("lab_slug=quest&size=100&page=2");
    const ids = [...first.markers, ...second.markers].map(({ id }: Body) => id);
    expect(new Set(ids).size).toBe(first.total);
    expect(first).toMatchObject({ total: ids.length, page: 1, size: 100, pages: 2 });
    expect((await markers("page=1000000")).markers).toEqual([]);
    expect((await markers("lab_slug=quest")).markers).toHaveLength(50);
    for (const query of ["page=0", "size=0", "size=101", "page=x", "lab_id=99", "lab_slug=nowhere"]) {
      expect([query, await statusOf(`/v3/lab_tests/markers?${query}`)]).toEqual([query, 422]);
    }
  });
});

describe("order sets", () => {
  test("contain the markers of their lab tests [lab-testing-catalogue-11]", async () => {
    const test = await wellness();
    const set = await orderSet({ lab_test_ids: [test.id], lab_account_id: null });
    expect(set.markers.map(({ id }: Body) => id)).toEqual(test.markers.map(({ id }: Body) => id));
    expect((await orderSet({ lab_test_ids: null })).total).toBe(0);
    const answers = [{ lab_test_ids: ["first"] }, { lab_test_ids: [randomUUID()] }].map((body) =>
      post("/v3/lab_tests/list_order_set_markers", body),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([422, 404]);
  });

  test("contain the markers that are added by test code, each once [lab-testing-catalogue-12]", async () => {
    const test = await wellness();
    const add_on = { provider_ids: ["90198", "90198"], marker_ids: [test.markers[0].id] };
    const codes = (await orderSet({ lab_test_ids: [test.id], add_on })).markers.map(
      ({ provider_id }: Body) => provider_id,
    );
    expect(codes).toEqual([test.markers[0].provider_id, "90198"]);
    const refused = await post("/v3/lab_tests/list_order_set_markers", {
      add_on: { provider_ids: ["90198", "nothing"] },
    });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", "add_on", "provider_ids", 1]]);
  });

  test("are limited to the lab of their lab account [lab-testing-catalogue-13]", async () => {
    const test = await wellness();
    const at = async (lab: string) =>
      (await orderSet({ lab_test_ids: [test.id], lab_account_id: accountAt(lab).id })).total;
    expect([await at("quest"), await at("labcorp")]).toEqual([1, 0]);
    const answer = await post("/v3/lab_tests/list_order_set_markers", { lab_account_id: "mine" });
    expect(answer.status).toBe(422);
  });

  test("are counted and paged by the query [lab-testing-catalogue-10] [lab-testing-catalogue-14] [lab-testing-catalogue-15] [limits-02] [limits-04]", async () => {
    const provider_ids = Array.from({ length: 11 }, (_, index) => String(90_106 + index));
    const account = accountAt("quest").id;
    const page = await orderSet({ add_on: { provider_ids }, lab_account_id: account }, "?page=2&size=5");
    expect(page).toMatchObject({ total: 11, page: 2, size: 5, pages: 3 });
    expect(page.markers.map(({ provider_id }: Body) => provider_id)).toEqual(provider_ids.slice(5, 10));
    expect(await orderSet({})).toMatchObject({ markers: [], total: 0, page: 1, size: 50, pages: 0 });
    for (const query of ["?page=0", "?page=-1", "?size=0", "?size=101"]) {
      expect((await post(`/v3/lab_tests/list_order_set_markers${query}`, {})).status).toBe(422);
    }
  });
});

describe("lab tests", () => {
  test("of a new sandbox team are one per collection method, without questions", async () => {
    for (const key of [service.identity.api_key, other.key]) {
      const { data, next_cursor } = await read("/v3/lab_test", key);
      expect([data.map(({ method }: Body) => method).toSorted(), next_cursor]).toEqual([
        [...collectionMethods].toSorted(),
        null,
      ]);
      expect(data.flatMap(({ markers }: Body) => markers).filter(({ aoe }: Body) => aoe !== null)).toEqual([]);
      expect(data.find(({ method }: Body) => method === "walk_in_test").lab.slug).toBe("quest");
    }
  });

  test("are created from markers of one lab, by id or by test code, and read back", async () => {
    const draft = { name: "Mine: Müsli & more", description: "All of it", method: "walk_in_test" };
    const byCode = await post("/v3/lab_tests", {
      ...draft,
      provider_ids: ["90506", "90173"],
      lab_slug: "quest",
      fasting: true,
    });
    expect(byCode.status).toBe(200);
    expect(byCode.body).toMatchObject({
      slug: "mine-musli-more",
      price: 26,
      status: "active",
      is_active: true,
      fasting: true,
    });
    expect(await read(`/v3/lab_tests/${byCode.body.id}`)).toEqual(byCode.body);
    const marker_ids = byCode.body.markers.map(({ id }: Body) => id);
    const byId = await post("/v3/lab_tests", { ...draft, marker_ids, lab_account_id: accountAt("quest").id });
    expect(byId.body.markers).toEqual(byCode.body.markers);
    expect((await service.call("GET", `/v3/lab_tests/${byId.body.id}`, { key: other.key })).status).toBe(404);
  });

  test.each([
    [{}, ["body", "marker_ids"]],
    [{ marker_ids: [4_090_101], provider_ids: ["90101"] }, ["body", "marker_ids"]],
    [{ marker_ids: [1] }, ["body", "marker_ids", 0]],
    [{ marker_ids: [4_090_101, 6_300_101] }, ["body", "marker_ids", 1]],
    [{ marker_ids: [4_090_101, 4_090_101, 1] }, ["body", "marker_ids", 2]],
    [{ provider_ids: ["90101"] }, ["body", "lab_slug"]],
    [{ provider_ids: ["90101", "1"], lab_slug: "quest" }, ["body", "provider_ids", 1]],
    [{ provider_ids: ["90101", "90101", "1"], lab_slug: "quest" }, ["body", "provider_ids", 2]],
    [{ provider_ids: ["90101"], lab_slug: "nowhere" }, ["body", "lab_slug"]],
    [{ marker_ids: [4_090_101], method: "testkit" }, ["body", "method"]],
  ])("are refused if they cannot be ordered: %j", async (wrong, loc) => {
    const answer = await post("/v3/lab_tests", { name: "Wrong", description: "", method: "walk_in_test", ...wrong });
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc]);
  });

  test("of a new team can be renamed and archived, for that team alone", async () => {
    const [kit] = (await read("/v3/lab_test?collection_method=testkit")).data;
    const patch = (body: object) => service.call("PATCH", `/v3/lab_tests/${kit.id}`, { body });
    expect((await patch({ name: "Our kit" })).body).toMatchObject({ name: "Our kit", status: "active" });
    expect((await patch({ active: false })).body).toMatchObject({
      name: "Our kit",
      status: "inactive",
      is_active: false,
    });
    expect((await read("/v3/lab_test?status=inactive")).data.map(({ id }: Body) => id)).toEqual([kit.id]);
    expect((await read(`/v3/lab_tests/${kit.id}`, other.key)).name).toBe(kit.name);
    expect((await service.call("PATCH", `/v3/lab_tests/${randomUUID()}`, { body: {} })).status).toBe(404);
    expect((await patch({ active: true })).body.is_active).toBe(true);
  });

  test("list the possible reflex markers of their markers", async () => {
    const draft = {
      name: "TSH first",
      description: "",
      method: "walk_in_test",
      lab_slug: "quest",
      provider_ids: ["90515"],
    };
    const { id, markers } = (await post("/v3/lab_tests", draft)).body;
    const names = ["TSH with reflex to free T4", "T4, free"];
    expect(markers.map(({ name }: Body) => name)).toEqual(names);
    const page = await read(`/v3/lab_tests/${id}/markers?size=1&page=2`);
    expect([page.total, page.markers[0].name]).toEqual([2, names[1]]);
    expect((await read(`/v3/lab_tests/${id}/markers?lab_account_id=${accountAt("labcorp").id}`)).total).toBe(0);
    expect(await statusOf(`/v3/lab_tests/${id}?lab_account_id=${accountAt("labcorp").id}`)).toBe(404);
    expect(await statusOf(`/v3/lab_tests/${id}?lab_account_id=${accountAt("quest").id}`)).toBe(200);
  });

  test("are found by every filter, in every order, all at once and in pages", async () => {
    const { data: all } = await read("/v3/lab_test?lab_test_limit=100");
    const [first] = all;
    const filters: [string, (one: Body) => boolean][] = [
      ["lab_slug=quest", ({ lab }) => lab.slug === "quest"],
      ["collection_method=on_site_collection", ({ method }) => method === "on_site_collection"],
      ["status=active", ({ is_active }) => is_active],
      ["status=pending_approval", () => false],
      ["generation_method=auto", () => false],
      ["generation_method=manual", () => true],
      ["name=WELL", ({ name }) => /well/i.test(name)],
      [
        `marker_ids=${first.markers[0].id}`,
        ({ markers }) => markers.some(({ id }: Body) => id === first.markers[0].id),
      ],
      [`provider_ids=${first.markers[0].provider_id}`, ({ id }) => id === first.id],
    ];
    for (const [query, fits] of filters) {
      const ids = (await read(`/v3/lab_tests?${query}`)).map(({ id }: Body) => id);
      expect([query, ids]).toEqual([query, all.filter(fits).map(({ id }: Body) => id)]);
      expect((await read(`/v3/lab_test?${query}`)).data.map(({ id }: Body) => id)).toEqual(ids);
    }
    for (const order of ["order_key=price", "order_key=updated_at&order_direction=desc", "order_direction=desc"]) {
      const whole = (await read(`/v3/lab_tests?${order}`)).map(({ id }: Body) => id);
      const paged: string[] = [];
      for (let cursor = ""; ; ) {
        const page = await read(`/v3/lab_test?${order}&lab_test_limit=2&include_pricing=true${cursor}`);
        for (const { id, price } of page.data)
          expect(page.pricing.data[id].pricing.base_amount_minor).toBe(Math.round(price * 100));
        paged.push(...page.data.map(({ id }: Body) => id));
        if (page.next_cursor === null) break;
        cursor = `&next_cursor=${encodeURIComponent(page.next_cursor)}`;
      }
      expect([order, paged]).toEqual([order, whole]);
    }
    expect(
      (await read(`/v3/lab_test?lab_account_id=${accountAt("labcorp").id}`)).data.map(({ lab }: Body) => lab.slug),
    ).toEqual(["labcorp"]);
    for (const query of ["next_cursor=abc", "lab_test_limit=0", "order_key=name"]) {
      expect([query, await statusOf(`/v3/lab_test?${query}`)]).toEqual([query, 422]);
    }
  });

  test("describe on one page how their sample is taken", async () => {
    const { data } = await read("/v3/lab_test");
    const answer = await fetch(`${service.baseUrl}/v3/lab_test/${data[0].id}/collection_instruction_pdf`, {
      headers: { "x-service-api-key": service.identity.api_key },
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
    const { text, totalPages } = await extractText(pdf, { mergePages: true });
    expect(totalPages).toBe(1);
    for (const words of [data[0].name, "Step by step", data[0].lab.name]) expect(text).toContain(words);
    expect(await statusOf(`/v3/lab_test/${randomUUID()}/collection_instruction_pdf`)).toBe(404);
  });
});

describe("lab accounts", () => {
  const orgPath = () => `/v1/org/${service.identity.org_id}/lab_account/sandbox/us`;

  test("are listed by id and status; the platform's account stands in for a team without its own [endpoints-known-by-name-03]", async () => {
    expect(
      ofSeed
        .filter(({ org_id }) => org_id !== null)
        .map(({ lab, status }) => [lab, status])
        .toSorted(),
    ).toEqual([
      ["labcorp", "active"],
      ["quest", "active"],
      ["sonora_quest", "active"],
      ["sonora_quest", "pending"],
    ]);
    expect((await read("/v3/lab_test/lab_account?status=pending")).data).toEqual([
      accountAt("sonora_quest", "pending"),
    ]);
    const { id } = accountAt("quest");
    expect((await read(`/v3/lab_test/lab_account?lab_account_id=${id}`)).data).toEqual([accountAt("quest")]);
    expect((await read(`/v3/lab_test/lab_account?lab_account_id=${id}`, other.key)).data).toEqual([]);
    const theirs = (await read("/v3/lab_test/lab_account", other.key)).data;
    expect(theirs.every(({ org_id, status }: Body) => org_id === null && status === "active")).toBe(true);
    expect(await statusOf("/v3/lab_test/lab_account?status=closed")).toBe(422);
  });

  test("are assigned to teams by their organisation", async () => {
    const { id, team_id_allowlist } = accountAt("labcorp");
    expect((await service.manage("GET", orgPath())).body.data).toHaveLength(4);
    const both = [...team_id_allowlist, other.teamId, other.teamId];
    const patched = await service.manage("PATCH", `${orgPath()}/${id}`, { body: { team_id_allowlist: both } });
    expect(patched.body.lab_account.team_id_allowlist).toEqual([...team_id_allowlist, other.teamId]);
    expect((await service.manage("GET", `${orgPath()}/${id}`)).body).toEqual(patched.body);
    const theirs = (await read("/v3/lab_test/lab_account", other.key)).data;
    expect(theirs.filter(({ lab }: Body) => lab === "labcorp")).toEqual([patched.body.lab_account]);
  });

  test("belong to the organization of the key and to its teams only", async () => {
    const { id } = accountAt("quest");
    const patch = async (path: string, team: string) =>
      (await service.manage("PATCH", path, { body: { team_id_allowlist: [team] } })).status;
    const mine = service.identity.team_id;
    expect(await patch(`${orgPath()}/${id}`, randomUUID())).toBe(404);
    expect(await patch(`${orgPath()}/${randomUUID()}`, mine)).toBe(404);
    expect(await patch(`/v1/org/${randomUUID()}/lab_account/sandbox/us/${id}`, mine)).toBe(404);
    const paths = [`${orgPath()}/${randomUUID()}`, `/v1/org/${service.identity.org_id}/lab_account/production/us`];
    expect(await Promise.all(paths.map(async (path) => (await service.manage("GET", path)).status))).toEqual([
      404, 404,
    ]);
  });
});

describe("compendia", () => {
  test("are searched by name, and compared lab by lab", async () => {
    const found = await post("/v3/compendium/search", { mode: "canonical", query: "lipid panel", limit: 2 });
    expect(found.body.canonical_candidates[0]).toMatchObject({
      display_name: "Lipid panel",
      popularity_score: 1,
      confidence: 1,
    });
    const { loinc_set_hash } = found.body.canonical_candidates[0];
    const crosswalk = await post("/v3/compendium/search", {
      mode: "crosswalk",
      loinc_set_hash,
      labs: ["quest", "labcorp"],
    });
    expect(crosswalk.body.selected_canonical.loinc_set_hash).toBe(loinc_set_hash);
    expect(Object.keys(crosswalk.body.per_lab).toSorted()).toEqual(["labcorp", "quest"]);
    expect(crosswalk.body.per_lab.quest[0]).toMatchObject({ provider_id: "90506", relation: "exact", confidence: 1 });
    expect((await post("/v3/compendium/search", { mode: "canonical", query: " " })).status).toBe(422);
    expect(
      (await post("/v3/compendium/search", { mode: "canonical", cpt_codes: ["80061"] })).body.canonical_candidates,
    ).toEqual([]);
  });

  test("convert a lab test or test codes to those of another lab", async () => {
    const test = await wellness();
    const byTest = await post("/v3/compendium/convert", { lab_test_id: test.id, target_lab: "labcorp" });
    expect(byTest.body).toMatchObject({
      source_lab_test_id: test.id,
      source_lab_id: QUEST,
      converted_provider_ids: ["300546"],
    });
    const byCode = await post("/v3/compendium/convert", {
      provider_ids: ["90101", "90206", "x"],
      target_lab: "bioreference",
    });
    expect(byCode.body).toMatchObject({ converted_provider_ids: ["70101", "70206"], unresolved_provider_ids: ["x"] });
    expect(byCode.body.by_source_provider_id.x.candidates).toEqual([]);
    const answers = [
      { target_lab: "quest" },
      { provider_ids: ["1"], target_lab: "ussl" },
      { lab_test_id: randomUUID(), target_lab: "quest" },
    ];
    const refused = await Promise.all(answers.map((body) => post("/v3/compendium/convert", body)));
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 404]);
  });

  test("list a lab's equivalents of other labs' test codes", async () => {
    const body = { provider_ids: ["90501", "nothing"], target_lab: "sonora_quest", per_provider_limit: 2 };
    const { candidates } = (await post("/v3/compendium/search_orderable_tests", body)).body;
    expect(candidates["90501"].map(({ relation }: Body) => relation)).toEqual(["exact", expect.any(String)]);
    expect(candidates.nothing).toEqual([]);
    const many = { provider_ids: Array(101).fill("1"), target_lab: "quest" };
    expect((await post("/v3/compendium/search_orderable_tests", many)).status).toBe(422);
  });
});
