const interpretations = {
  "": "Not specified",
  normal: "Normal",
  abnormal: "Abnormal",
  critical: "Critical",
  unknown: "Unknown",
};

/** Creates an element with properties and children. A string becomes a text node, so read data is never markup. */
export function element(name, properties = {}, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Creates a labelled control. */
export const field = (text, control, isWide = false) =>
  element("label", { className: isWide ? "field wide" : "field" }, [text, control]);

const input = (value, more = {}) =>
  element("input", { value: value ?? "", autocomplete: "off", spellcheck: false, ...more });
const numeric = (value) => input(value, { type: "number", step: "any" });

function select(options, value) {
  const made = element(
    "select",
    {},
    Object.entries(options).map(([name, text]) => new Option(text, name)),
  );
  made.value = value ?? "";
  return made;
}

const metadataNames = {
  patient_first_name: "First name",
  patient_last_name: "Last name",
  dob: "Date of birth",
  gender: "Gender",
  lab_name: "Laboratory",
  date_collected: "Collected",
  date_reported: "Reported",
  specimen_number: "Specimen",
};
const doubtTexts = {
  hard_to_read: "The text is hard to read",
  repaired: "An invalid character was corrected",
  implausible_value: "The value is far from usual values",
  inverted_range: "The limits of the range are swapped",
  unit_disagrees: "The unit does not match the test",
  decimals_differ: "A decimal point may be missing",
  duplicate: "Another row has the same test",
  flag_disagrees: "The flag does not match the range",
  not_comparable: "The range does not tell whether this result is normal",
  incomplete: "This row seems to be incomplete",
  unsure_test: "The test is uncertain",
  left_over: "Some text in this row was not recognized",
};
const matchTexts = { needs_review: doubtTexts.unsure_test, no_match: "No code was found for this test" };

/** Lists the reasons to check a row. */
export function listReasons({ loinc_match_status }, doubts) {
  const named = doubts.map((doubt) => doubtTexts[doubt] ?? doubt);
  return [...new Set([...named, ...(matchTexts[loinc_match_status] ? [matchTexts[loinc_match_status]] : [])])];
}

const genders = { female: "Female", male: "Male", other: "Other or not specified" };

const dates = new Set(["dob", "date_collected", "date_reported"]);

function createMetadataControl(name, value) {
  if (name === "gender") return select(genders, value);
  return input(value, dates.has(name) ? { type: "date" } : {});
}

/** Creates the fields of a report's metadata. @returns the fields, and a function that reads their values. */
export function createMetadataFields(metadata) {
  const controls = Object.keys(metadataNames).map((name) => [name, createMetadataControl(name, metadata[name])]);
  const read = () => Object.fromEntries(controls.map(([name, control]) => [name, control.value.trim() || null]));
  return { parts: controls.map(([name, control]) => field(metadataNames[name], control)), read };
}

const codeText = ({ loinc_code, display_name, loinc_name }) => `${display_name || loinc_name} (${loinc_code})`;

/** Creates the selection of a code from the candidates. A search replaces the candidates. */
function createCodeFields(matches, isCertain, find) {
  const codes = select({ "": "No code", ...Object.fromEntries(matches.map((one) => [one.loinc_code, codeText(one)])) });
  codes.value = isCertain ? (matches[0]?.loinc_code ?? "") : "";
  const typed = input("", { type: "search", placeholder: "Name of the test" });
  const button = element("button", { type: "button" }, ["Find code"]);
  const search = async () => {
    const found = await find(typed.value.trim());
    if (!found) return;
    const others = found.filter(({ loinc_code }) => loinc_code !== codes.value);
    codes.replaceChildren(codes.selectedOptions[0], ...others.map((one) => new Option(codeText(one), one.loinc_code)));
    if (codes.value !== "") codes.append(new Option("No code", ""));
    codes.focus();
  };
  button.addEventListener("click", search);
  typed.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    search();
  });
  return { codes, typed, button };
}

/** Creates the controls of a result. */
function createControls(result, find) {
  return {
    name: input(result.test_name, { required: true }),
    value: input(result.value, { required: true }),
    units: input(result.units),
    low: numeric(result.min_reference_range),
    high: numeric(result.max_reference_range),
    interpretation: select(interpretations, result.interpretation),
    ...createCodeFields(result.loinc_matches ?? [], result.loinc_match_status !== "no_match", find),
  };
}

const createFieldset = ({ name, value, units, low, high, interpretation, codes, typed }) =>
  element("fieldset", { className: "fields bare" }, [
    field("Test", name, true),
    field("Value", value),
    field("Units", units),
    field("From", low),
    field("To", high),
    field("Interpretation", interpretation, true),
    field("LOINC code", codes, true),
    field("Another code", typed, true),
  ]);

const number = ({ value }) => (value === "" ? null : Number(value));
const text = ({ value }) => value.trim() || null;

const readControls = ({ name, value, units, low, high, interpretation, codes }) => ({
  test_name: name.value.trim(),
  value: value.value.trim(),
  units: text(units),
  min_reference_range: number(low),
  max_reference_range: number(high),
  interpretation: text(interpretation),
  loinc_code: text(codes),
});

/** Creates the fields of a result. @returns its list item, and a function that reads its values, undefined after removal. */
export function createResultRow({ result, doubts = [], from = null, find, show }) {
  const controls = createControls(result, find);
  const { name, button } = controls;
  const fields = createFieldset(controls);
  const legend = element("legend", {}, [result.test_name || "New result"]);
  const remove = element("button", { type: "button" }, ["Remove"]);
  const reasons = doubts.map((reason) => element("li", {}, [reason]));
  const group = element("fieldset", { className: doubts.length > 0 ? "card doubtful" : "card" }, [
    legend,
    ...(reasons.length > 0 ? [element("ul", { className: "doubts" }, reasons)] : []),
    fields,
    element("div", { className: "row" }, [button, remove]),
  ]);
  name.addEventListener("input", () => (legend.textContent = name.value || "New result"));
  group.addEventListener("focusin", () => show(result));
  remove.addEventListener("click", () => {
    fields.disabled = group.classList.toggle("removed");
    button.disabled = fields.disabled;
    remove.textContent = fields.disabled ? "Restore" : "Remove";
  });
  const read = () => (fields.disabled ? undefined : { from, ...readControls(controls) });
  return { item: element("li", {}, [group]), first: name, read };
}
