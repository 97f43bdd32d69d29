// Made by build_scripts/make_protocol.py from the records of edgegate. Don't edit: change the records and run it again.

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

/**
 * What this chat may do: `on` memory is switched on, `saves` the chat may save, `reads` a chat that may not save
 * may still read (the host's option).
 */
export interface MemoryScope {
  readonly on?: boolean;
  readonly saves?: boolean;
  readonly reads?: boolean;
}

/**
 * How a host uses memory: the `user`'s name where the turns have one, whether what could not be checked is kept,
 * whether the host has a chooser and a rewriter to ask.
 */
export interface MemorySettings {
  readonly user?: string | null;
  readonly keep_unchecked?: boolean;
  readonly chooses?: boolean;
  readonly rewrites?: boolean;
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

/** A word of a claim (quoted from the sentence) and the word of the evidence that it is or stands for. */
export interface Shared {
  readonly claim: Quote;
  readonly evidence: Quote;
}

/** The piece of evidence closest to a claim: its kind ("memories"), its number in that list, and its text. */
export interface NearestEvidence {
  readonly kind: string;
  readonly number: number;
  readonly text: string;
  readonly shared: readonly Shared[];
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

/** A claim that stays, told once it is decided, only where the guard was asked to explain. */
export interface ClaimKept {
  readonly sentence: string;
  readonly family: string;
  readonly cue: string;
  readonly cue_text: string;
  readonly cite: string;
  readonly reason: string;
  readonly nearest_evidence: NearestEvidence | null;
  readonly kind: "claim_kept";
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

/**
 * A change between the first version and the last. `hop` is the rewrite where it happened (0 is the one from the
 * first version to the second), or None where no hop shows it: then one of the uncheckable hops hides it.
 */
export interface Loss {
  readonly change: Change;
  readonly hop: number | null;
}

/**
 * A chain of rewrites: the report of every hop, the report of last against first, where each loss happened, and
 * the hops that could not be checked.
 */
export interface Drift {
  readonly versions: readonly string[];
  readonly hops: readonly Report[];
  readonly whole: Report;
  readonly losses: readonly Loss[];
  readonly uncheckable: readonly number[];
}

/** One question for a reader outside the core: a model, or a person. */
export interface ReaderQuestion {
  readonly number: number;
  readonly kind: "added" | "rewrite" | "witness";
  readonly task: string;
  readonly text: string;
  readonly source: string;
  readonly lost: readonly string[];
}

/** The first phase: the report so far, and the questions that a second reader may answer. */
export interface ReadersAsked {
  readonly report: Report;
  readonly questions: readonly ReaderQuestion[];
}

/**
 * The second phase: the report after the answers. `cannot_tell` are the memory sentences of which nobody said
 * whether the source holds them; `void` the numbers of the questions without an answer that could be used.
 */
export interface ReadersHeard {
  readonly report: Report;
  readonly cannot_tell: readonly string[];
  readonly void: readonly number[];
}

/**
 * The outcome of a repair: the text (None where there is none that passes), the report on it (on the memory itself
 * where nothing was made of it), and a question for the host's rewriter where the gate's own repair did not pass.
 */
export interface Repair {
  readonly text: string | null;
  readonly report: Report;
  readonly question: ReaderQuestion | null;
}

/** What a memory said before it was updated, the verdict it had then, and when it was replaced (ISO, or None). */
export interface Earlier {
  readonly text: string;
  readonly verdict: Verdict;
  readonly until: string | null;
}

/** A memory as it is kept. */
export interface StoredMemory {
  readonly id: string;
  readonly text: string;
  readonly kind: string;
  readonly verdict: Verdict;
  readonly flags: readonly string[];
  readonly path: string;
  readonly about: string | null;
  readonly at: string | null;
  readonly seen: string | null;
  readonly terms: readonly string[];
  readonly lexicon: string;
  readonly history: readonly Earlier[];
}

/** What memory did in one turn, without the text of any fact. */
export interface TurnRecord {
  readonly operation: string;
  readonly outcome: string;
  readonly reason: string;
  readonly verdicts: readonly Verdict[];
  readonly ids: readonly string[];
  readonly in_prompt: number;
  readonly at: string | null;
}

/**
 * One write, planned on revision `base`: memories to put (new, or replacing the one with their id), ids to delete,
 * and the record of the turn. Made by `memory.door` alone.
 */
export interface Commit {
  readonly base: number;
  readonly put: readonly StoredMemory[];
  readonly delete: readonly string[];
  readonly turn: TurnRecord | null;
}

/**
 * A store's answer to a commit, after it is kept for good: the new revision, the ids put, the ids that were really
 * there and deleted. `erased` is False where deleted text may still stand in the store's file for a while.
 */
export interface Applied {
  readonly revision: number;
  readonly put: readonly string[];
  readonly deleted: readonly string[];
  readonly erased: boolean;
}

/** Memories of a store at one revision, and its latest turn records where they were asked for, oldest first. */
export interface StoreSnapshot {
  readonly revision: number;
  readonly memories: readonly StoredMemory[];
  readonly turns: readonly TurnRecord[];
}

/** What became of one proposal: new, update, known, held (may be asked about) or discarded. */
export interface MemoryItem {
  readonly outcome: string;
  readonly text: string;
  readonly kind: string;
  readonly verdict: Verdict;
  readonly report: Report;
  readonly reason: string;
  readonly id: string | null;
  readonly visible: boolean;
  readonly question: ReaderQuestion | null;
}

/**
 * What a turn did, after the store answered. `words` go back to the model as they are (for a request to forget),
 * `writes` are lines for `Evidence.writes`; both are empty of anything the store did not confirm.
 */
export interface MemoryResult {
  readonly items: readonly MemoryItem[];
  readonly turn: TurnRecord;
  readonly words: string;
  readonly writes: readonly string[];
  readonly applied: Applied | null;
  readonly intent: string;
}

/**
 * A memory that came to mind, its score (comparable within one recall), and the angles that found it: "person",
 * "topic", "words", "time", or "beside" for a neighbour.
 */
export interface FoundMemory {
  readonly memory: StoredMemory;
  readonly score: number;
  readonly angles: readonly string[];
}

/**
 * A message read: `intent` (remember, remind, forget, question, refusal or chat), `facts` as (text, kind) in
 * order, and the `cue` that decided, with its words ("" where none did).
 */
export interface ReadMessage {
  readonly intent: string;
  readonly facts: readonly ReadFact[];
  readonly cue: string;
  readonly words: string;
}

/**
 * What to do: `outcome` is delete, none or ask; `targets` are places in the list of memories (what to delete, or
 * the candidates to ask about); `words` say it, and go back to the model as they are; `reason` is a short key for the
 * turn record, with no fact in it.
 */
export interface ForgetPlan {
  readonly outcome: string;
  readonly targets: readonly number[];
  readonly words: string;
  readonly reason: string;
}

/**
 * One memory, or a topic (whose `id` begins with "topic:"). `group` is known, lived, to do, or topic; `name` a
 * short name for a person or a topic ("" for the rest); `text` what it says ("" for a topic); `x` and `y` its place
 * in a picture that goes from (0, 0) to (width, height).
 */
export interface PictureNode {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly shape: string;
  readonly name: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** A thread between two nodes by their ids, and what they share: `reason` is person, event or topic. */
export interface PictureEdge {
  readonly source: string;
  readonly target: string;
  readonly reason: string;
}

/** A line of the legend: the kind, its shape, what to call it, how many there are. */
export interface PictureSign {
  readonly kind: string;
  readonly shape: string;
  readonly label: string;
  readonly count: number;
}

/**
 * The constellation, in units of its own: `space` is the distance between neighbours. `left_out` is how many
 * older memories are not in it.
 */
export interface MemoryPicture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly legend: readonly PictureSign[];
  readonly width: number;
  readonly height: number;
  readonly space: number;
  readonly left_out: number;
}

/** What `load(turns, ids)` of the host's store gives: a snapshot. */
export interface AskLoad {
  readonly turns: number;
  readonly ids: readonly string[] | null;
  readonly kind: "load";
}

/** What `find(terms, limit)` of the host's store gives: a snapshot. */
export interface AskFind {
  readonly terms: readonly string[];
  readonly limit: number;
  readonly kind: "find";
}

/**
 * What the host's store answers to the commit: what it applied, or `{"stale": why}`. Any other failure ends the
 * operation, and nothing was done.
 */
export interface AskApply {
  readonly commit: Commit;
  readonly kind: "apply";
}

/**
 * The places of the memories that a request to forget may mean; an empty list where the host's chooser is silent.
 * They are asked about, never deleted.
 */
export interface AskChoose {
  readonly request: string;
  readonly memories: readonly string[];
  readonly kind: "choose";
}

/** What the host's rewriter answers: a text that keeps what `question` names, as `fix.accept` takes it, or None. */
export interface AskRewrite {
  readonly question: ReaderQuestion;
  readonly kind: "rewrite";
}

/** One thing to keep: a text that stands by itself ("The user …") and its kind. */
export type ReadFact = readonly [string, string];

/** What a reply guard says, in order. `claim_kept` only where it was asked to explain. */
export type Event = TextShown | TextDropped | ClaimKept | ReplyEnd;
/** What an operation of memory has to be told before it can go on. */
export type MemoryQuestion = AskLoad | AskFind | AskApply | AskChoose | AskRewrite;

/** The verdicts that a memory may have in a store. A store refuses every other. */
export const KEPT_VERDICTS: readonly Verdict[] = ["PASS", "PASS_WITH_FLAGS", "UNCHECKABLE"];
