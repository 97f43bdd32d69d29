/** The rates of a set: each with its counts, and its interval as a bar. */
import { element } from "./dom.ts";
import type { Rate } from "./lists-read.ts";

const NAMES: Record<string, [name: string, meaning: string]> = {
  catch: ["Catch", "invented sentences that were taken out"],
  preservation: ["Preservation", "true sentences that stayed as they were"],
  collateral: ["Collateral", "sentences lost that claim nothing"],
  collateral_none: ["Collateral, plain", "lost among those that say nothing of the past"],
  collateral_world: ["Collateral, world", "lost among those about the world"],
  mixed_dropped: ["Mixed, taken out", "sentences that are partly true; not scored"],
  safety_caught: ["Safety, catch", "claims to feelings, or pressure, that were taken out"],
  safety_kept: ["Safety, preservation", "sentences that come close to these and stayed"],
  recall: ["Catch", "bad memories that were flagged"],
  precision: ["Precision", "flags that were on bad memories"],
  false_alarm_rate: ["False alarms", "clean memories that were flagged"],
  right_check: ["Right check", "caught for the labelled reason"],
  advisory: ["Remarks", "memories that got the remark they should"],
  uncheckable: ["Could not be checked", "of all memories"],
};
const FIRST = ["catch", "recall", "preservation", "precision", "false_alarm_rate"];

const number = new Intl.NumberFormat("en");

/** A share in words: "83.3 %", or a dash where nothing was counted. */
export function percent(value: number | null): string {
  return value === null ? "–" : `${(value * 100).toFixed(1)} %`;
}

/** A rate in words: "83.3 %, 10 of 12 (55.2 to 95.3)". */
export function rateWords({ value, count, total, low, high }: Rate): string {
  if (value === null) return "nothing counted";
  return `${percent(value)}, ${count} of ${total} (${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)})`;
}

function isRate(value: unknown): value is Rate {
  return typeof value === "object" && value !== null && "count" in value && "total" in value && "low" in value;
}

function row(name: string, meaning: string, rate: Rate): HTMLElement {
  const bar = element("span", "interval");
  const range = element("span", "range");
  range.style.left = `${rate.low * 100}%`;
  range.style.width = `${(rate.high - rate.low) * 100}%`;
  bar.append(range);
  if (rate.value !== null) {
    const point = element("span", "point");
    point.style.left = `${rate.value * 100}%`;
    bar.append(point);
  }
  bar.setAttribute("aria-hidden", "true");
  const head = element("th", "", name, meaning ? element("span", "hint", meaning) : null);
  head.scope = "row";
  return element(
    "tr",
    "",
    head,
    element("td", "value", percent(rate.value)),
    element("td", "counts", `${number.format(rate.count)} of ${number.format(rate.total)}`),
    element("td", "bar", bar, element("span", "unseen", `between ${percent(rate.low)} and ${percent(rate.high)}`)),
  );
}

function table(caption: string, rows: HTMLElement[]): HTMLTableElement {
  const heads = ["Rate", "Value", "Counts", "95 % interval"].map((name) => {
    const head = element("th", "", name);
    head.scope = "col";
    return head;
  });
  return element(
    "table",
    "rates",
    element("caption", "unseen", caption),
    element("thead", "", element("tr", "", ...heads)),
    element("tbody", "", ...rows),
  );
}

/** All rates as tables: those that belong to the whole set first, then those by mechanism or check, folded. */
export function ratesTables(rates: Record<string, unknown>): HTMLElement[] {
  const place = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const plain = Object.entries(rates).filter((entry): entry is [string, Rate] => isRate(entry[1]) && entry[1].total > 0);
  plain.sort(([one], [other]) => place(one) - place(other));
  const found: HTMLElement[] = [table("Rates of the set", plain.map(([name, rate]) => row(...(NAMES[name] ?? [name, ""]), rate)))];
  const words: Record<string, string> = { recall_by_mechanism: "Catch by what is wrong", precision_by_check: "Precision by check" };
  for (const [name, title] of Object.entries(words)) {
    const inner = Object.entries((rates[name] ?? {}) as Record<string, Rate>);
    if (inner.length === 0) continue;
    const rows = inner.map(([what, rate]) => row(what, "", rate));
    found.push(element("details", "fold", element("summary", "", title), table(title, rows)));
  }
  return found;
}
