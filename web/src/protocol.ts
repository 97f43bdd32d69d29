// Made by build_scripts/make_protocol.py from edgegate/records.py. Don't edit: change the records and run it again.

/** One turn of a conversation. `at` is an ISO date or date-time, where known. */
export interface Turn {
  readonly speaker: string;
  readonly text: string;
  readonly at?: string | null;
}

/** What is really held this turn. Lists of texts; `history` takes turns (the message being answered included). */
export interface Evidence {
  readonly memories?: readonly string[];
  readonly journal?: readonly string[];
  readonly history?: readonly Turn[];
  readonly threads?: readonly string[];
  readonly facts?: readonly string[];
  readonly writes?: readonly string[];
  readonly actions?: readonly string[];
}

/** What the write gate decides: PASS < PASS_WITH_FLAGS < REWRITE < REJECT; UNCHECKABLE stands apart. */
export type Verdict = "PASS" | "PASS_WITH_FLAGS" | "REJECT" | "REWRITE" | "UNCHECKABLE";

/** How grave one change is. `policy` turns severities into a verdict; nothing else does. */
export type Severity = "advisory" | "reject" | "rewrite";

/** A verbatim piece of a text, with its place. */
export interface Quote {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly utf16_start: number;
  readonly utf16_end: number;
  readonly turn: number | null;
}

/** One typed difference between a source and a memory made from it (DESIGN, Law 3: every finding points). */
export interface Change {
  readonly check: string;
  readonly type: string;
  readonly severity: Severity;
  readonly source_quote: Quote | null;
  readonly candidate_quote: Quote | null;
  readonly cue: string;
  readonly cue_text: string;
  readonly cite: string;
  readonly detail: string;
}

/** What `inspect` found: changes, what stood nowhere in the source, and what was not checked. */
export interface Report {
  readonly changes: readonly Change[];
  readonly unaligned: readonly Quote[];
  readonly not_checked: readonly string[];
  readonly uncheckable: string | null;
  readonly lexicon: string;
  readonly verdict: Verdict | null;
}

/** The piece of evidence closest to a claim: its kind ("memories"), its number in that list, and its text. */
export interface NearestEvidence {
  readonly kind: string;
  readonly number: number;
  readonly text: string;
}

/** Text that is decided and may be shown. The concatenation of all of them is the reply, shown and stored. */
export interface TextShown {
  readonly text: string;
  readonly kind: "text_shown";
}

/** A sentence that was taken out: the sentence, the cue that fired, why, and the nearest evidence. */
export interface TextDropped {
  readonly sentence: string;
  readonly family: string;
  readonly cue: string;
  readonly cue_text: string;
  readonly cite: string;
  readonly reason: string;
  readonly nearest_evidence: NearestEvidence | null;
  readonly kind: "text_dropped";
}

/**
 * The end of a reply. `unchecked` lists what was shown without judgement ("code fence", "language");
 * `failed` says what broke when the guard failed closed; `everything_dropped` asks the host for its own words.
 */
export interface ReplyEnd {
  readonly shown: string;
  readonly dropped: number;
  readonly unchecked: readonly string[];
  readonly enabled: boolean;
  readonly everything_dropped: boolean;
  readonly aborted: boolean;
  readonly failed: string | null;
  readonly kind: "reply_end";
}

/** What a reply guard says, in order. */
export type Event = TextShown | TextDropped | ReplyEnd;
