import { defineLayout, type Layout } from "./layout.ts";

/** Reports of regional laboratories. */
export const regionalLayouts: readonly Layout[] = [
  defineLayout(
    "previous-first",
    "Copper Basin Laboratories",
    "test:Test:32 | previous:Previous:12 | value:Current:12 | flag:Flag:7 | units:Units:14 | range:Ref. Range:20",
    {
      units: 1,
      size: 9,
      sections: "bar",
      rules: "lines",
      range: "a-b",
      names: "mixed",
      patient: { grid: 2, words: 0, frame: "box" },
      top: { place: "split", logo: "bars", heading: "Laboratory Report" },
    },
  ),
  defineLayout(
    "watermarked",
    "Stonebridge Laboratory Partners",
    "test:Test Name:34 | value:Result:12 | units:Units:14 | flag:Flag:10 | range:Reference Range:22 | site:Site:7",
    {
      mark: "watermark",
      units: 0,
      flagWords: "words",
      sections: "bar",
      titles: "long",
      names: "long",
      range: "a - b",
      oneSided: "equal",
      patient: { grid: 3, words: 2, frame: "grid", labels: "stacked" },
      notes: "boxed",
      footer: "lab",
      size: 8.5,
    },
  ),
];
