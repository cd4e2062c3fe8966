/**
 * The content of a column. `dated` is a column below a bare date; `other` is not read, such as the code of the
 * performing site.
 */
export type ColumnKind =
  | "name"
  | "value"
  | "flag"
  | "units"
  | "range"
  | "low"
  | "high"
  | "previous"
  | "dated"
  | "other";

/** Known phrases of column headings, by column kind. */
export const headingPhrases: Readonly<Record<ColumnKind, readonly string[]>> = {
  name: "test|tests|test name|test names|name|analyte|analytes|component|components|test description|description|examination|investigation|investigations|parameter|parameters|procedure|assay|test performed|tests performed|test(s)|test / component|biomarker|marker|determination|test ordered|observation|lab test|measurement|panel / test|test/panel|item|component name|analysis|study|exam|test/analyte|test requested|panel/test|profile|test(s) performed|constituent|name of test|laboratory test".split(
    "|",
  ),
  value:
    "result|results|value|values|your result|your value|current result|current|current value|observed value|result value|patient result|observed|in range|result(s)|your results|this result|today|result and flag|result / flag|result/flag|current result and flag|reading|finding|findings|out of range|outcome|latest result|latest|within range|outside range|in-range|out-of-range|normal result|abnormal result|patient value|measured|level|result & flag|measured value".split(
      "|",
    ),
  flag: "flag|flags|flg|abn|abnormal|status|abnormal flag|h/l|alert|indicator|abn flag|hi/lo|l/h|result flag|ind|note flag|*|abnl|fl|interp|interpretation|status flag|flag(s)|abnormality|alerts".split(
    "|",
  ),
  units: "unit|units|uom|units of measure|unit of measure|measure unit|unit(s)|measurement unit|u/m|dimension".split(
    "|",
  ),
  range:
    "reference|reference range|reference interval|ref range|ref. range|ref interval|ref. interval|reference ranges|reference intervals|normal range|normal ranges|normal|expected|expected range|limits|reference limits|normal values|range|biological ref. interval|biological reference interval|biological ref interval|bio. ref. interval|bio. ref. range|reference value|reference values|reference range & units|reference range / units|reference (units)|ref. values|ref|ref.|normal limits|expected values|interval|standard range|reference range/units|ref range & units|reference range and units|normals|ref. range/units|ref range/units|optimal range|usual range|desired range|expected value|ref. int.|ref. rng|ref rng|reference rng|standard|target range|therapeutic range|ref. limits|reference interval & units|reference interval and units|healthy range|ref. range & units|ref.range|ref.interval".split(
      "|",
    ),
  low: ["low", "low limit", "lower limit", "lower", "min", "minimum", "ref low", "range low", "from"],
  high: ["high", "high limit", "upper limit", "upper", "max", "maximum", "ref high", "range high", "to"],
  previous:
    "previous|previous result|previous results|prior|prior result|prior results|last result|last|previous value|prev|prev. result|prev result|previous date|prior value|last value|previous result and date|date of previous|history|historical|trend|prior date|delta|prev. value|previous result & date|previous result / date|prev. date|last date|prev date|previous (date)|change|prior result date".split(
      "|",
    ),
  dated: [],
  other:
    "lab|site|code|loinc|loinc code|perf|perf. site|performing lab|performing site|method|date|collected|lab code|test code|code(s)|perf lab|performed at|specimen|verified|comment|comments|notes|note|remarks|time|no|no.|#|s.no|sr. no.|reported|completed|lab id|perf. lab|methodology|sample|order code|facility|tech|performed|loc|test #|sl. no.|line|key|stat|lab site".split(
      "|",
    ),
};
