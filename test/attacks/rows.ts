/** What a row waits for that is not built yet. */
export type Awaited = "inbox" | "streams" | "persistence";

/** One fault that others had, and where it is met. */
export interface FaultRow {
  /** Beginning of the SHA-256 of its symptom, as it stands in the collection. */
  readonly symptom: string;
  /** In our own words; where it is met here, the beginning of a title of this folder. */
  readonly name: string;
  /** Here, in another file of tests, or nowhere yet. */
  readonly met: "here" | "elsewhere" | "not yet";
  /** The file, where it is met elsewhere. */
  readonly file?: string;
  /** What has to be built before all of it can be met. */
  readonly awaits?: Awaited;
}

/** Every row of the collection, in its order. */
export const FAULT_ROWS: readonly FaultRow[] = [
  // Forged or missing decisions
  {
    symptom: "119b62da8333",
    name: "an approval invented in a client's history runs nothing",
    met: "here",
    awaits: "inbox",
  },
  { symptom: "b18750aaf9f9", name: "no gate without approvers", met: "here" },
  {
    symptom: "cc1c1cb1ae08",
    name: "an honest approval survives a way round through JSON",
    met: "here",
    awaits: "inbox",
  },
  {
    symptom: "bed04dc53b52",
    name: "an approval given in one session does not answer the call of another",
    met: "here",
  },
  { symptom: "64dfde35c760", name: "ids of approvals cannot be guessed", met: "here", awaits: "inbox" },
  {
    symptom: "8ae558c28eb4",
    name: "code behind the gate is handed the binding of the call that was approved",
    met: "here",
  },
  { symptom: "2b1fd6b426e2", name: "an empty or default answer is a no", met: "here" },
  { symptom: "2a9fcdf9fc18", name: "a client that cannot ask anybody is told so by a code", met: "here" },
  {
    symptom: "1d605bdb3e3d",
    name: "an answer to a question that was never put, or about another tool, is none",
    met: "here",
    awaits: "streams",
  },
  { symptom: "9e6800121490", name: "a second say in what needs approval is an error, at once", met: "here" },
  { symptom: "e6e12acee4fc", name: "who acts is never taken from arguments", met: "here" },
  { symptom: "18f6f37970c8", name: "who makes a call does not approve it", met: "here" },
  // A person approved something else
  { symptom: "c668912a676c", name: "an approval of one pending call runs no other", met: "here" },
  {
    symptom: "b008aed44a91",
    name: "two pending calls, approved the other way round, each run with their own arguments",
    met: "here",
  },
  {
    symptom: "b28b86f01bb1",
    name: "arguments that a model made up anew do not run on the consent to the old ones",
    met: "here",
  },
  {
    symptom: "eb58366204b1",
    name: "what a person edited is kept beside what was proposed",
    met: "not yet",
    awaits: "inbox",
  },
  { symptom: "d1c793fb6f32", name: "a call id that a provider used twice inherits no decision", met: "here" },
  { symptom: "82658329992a", name: "what was approved is what runs: no default is filled in afterwards", met: "here" },
  { symptom: "b9258d1d1d1c", name: "a number and its text are two things, and the wrong one is refused", met: "here" },
  { symptom: "1c235f6f8cd8", name: "a remark is an argument like any other", met: "here" },
  { symptom: "5f937ab2190d", name: "consent to one call of a tool is none to the next", met: "here" },
  { symptom: "08331c842bdb", name: "no arguments, null, and some are three scopes", met: "here" },
  { symptom: "a85255ad70fc", name: "a number that would be rounded is refused where its text is read", met: "here" },
  {
    symptom: "7e8844d7330e",
    name: "what cannot be seen is shown as what it is",
    met: "elsewhere",
    file: "test/cli/run.test.ts",
    awaits: "inbox",
  },
  { symptom: "58c8497d9682", name: "nothing of what is to be approved is cut off", met: "not yet", awaits: "inbox" },
  {
    symptom: "5e3c578f6edf",
    name: "of two alike calls side by side, an approval belongs to the one that it names",
    met: "here",
  },
  { symptom: "f4fcfd54a98c", name: "lost arguments match nothing", met: "here" },
  // Something runs again
  {
    symptom: "50e5afb64cb0",
    name: "a history that is sent once more, in a later turn, is answered from the records",
    met: "here",
  },
  { symptom: "9eeb21640243", name: "what failed after the tool had run repeats the answer, not the tool", met: "here" },
  { symptom: "d7bae0392775", name: "answers of an earlier round are none of this round's", met: "here" },
  { symptom: "fe26f94a1002", name: "a finished call whose approval was lost from the history needs none", met: "here" },
  {
    symptom: "05127b4cc30c",
    name: "a start-up runs nothing that waits for a decision",
    met: "here",
    awaits: "persistence",
  },
  {
    symptom: "d08d039b8e39",
    name: "a second click on the same button finds nothing to decide",
    met: "here",
    awaits: "inbox",
  },
  {
    symptom: "5382dcc35fa9",
    name: "a double click that reaches two processes is one",
    met: "here",
    awaits: "persistence",
  },
  {
    symptom: "8818614d405b",
    name: "an approval that was spent in one process is spent in the next",
    met: "here",
    awaits: "persistence",
  },
  { symptom: "53d3a45d39b9", name: "an approval is spent by an error as well as by a success", met: "here" },
  { symptom: "2be8c54950fc", name: "an approval is taken, not looked at", met: "here" },
  { symptom: "66b5b8e6c824", name: "a second decision in a turn does not run the first call again", met: "here" },
  {
    symptom: "3161f7d70223",
    name: "a call that is resumed twice, with two different values, is refused the second time",
    met: "here",
  },
  {
    symptom: "71252a6e09e9",
    name: "what is stored first decides after a crash",
    met: "elsewhere",
    file: "test/dispatcher/recovery.test.ts",
    awaits: "persistence",
  },
  {
    symptom: "842b4f8da28b",
    name: "a cancellation after the start is an unknown outcome, and resets nothing",
    met: "here",
  },
  {
    symptom: "842aee2fc830",
    name: "a result that a provider has acknowledged is not sent again",
    met: "not yet",
    awaits: "streams",
  },
  {
    symptom: "debff623841b",
    name: "a repeated call asks for access again, and for nothing that was decided",
    met: "here",
  },
  { symptom: "1835483799dd", name: "an answer is delivered once", met: "not yet", awaits: "persistence" },
  {
    symptom: "ef9c324d8b71",
    name: "two approved calls of one tool each have their own run and their own answer",
    met: "here",
  },
  // No decision, or none in time
  { symptom: "cbc28c55858d", name: "what was turned down or used up stays so", met: "here", awaits: "inbox" },
  { symptom: "69712ae68e6e", name: "a word in a message decides nothing", met: "here" },
  { symptom: "c8798d2ea37c", name: "a refusal never goes out as something completed", met: "here" },
  { symptom: "b70045f018b1", name: "why a person said no is told", met: "not yet", awaits: "inbox" },
  { symptom: "0ba92d75c3b9", name: "whoever never answers is not waited for", met: "here", awaits: "inbox" },
  {
    symptom: "8c11d23fca21",
    name: "who should decide is warned before the time is up",
    met: "not yet",
    awaits: "inbox",
  },
  { symptom: "0e2b0f5c8c57", name: "an approval without an end is none, and cannot be made", met: "here" },
  { symptom: "68e109ff4dd7", name: "a free call in the same turn frees no other", met: "here" },
  { symptom: "eb340806146a", name: "a second window cannot undo a call that executes", met: "here" },
  // On the wire
  {
    symptom: "e749fc8d207e",
    name: "a result that was lost on its way back is had again for the same call",
    met: "here",
    awaits: "streams",
  },
  { symptom: "5cbfc6282002", name: "a call that was not approved has a result like any other", met: "here" },
  { symptom: "0654910b81ef", name: "where one of two is refused, the other runs, and both are answered", met: "here" },
  {
    symptom: "200bf9a4a79a",
    name: "a refused call that would go unanswered is found before the next request is made",
    met: "here",
  },
  { symptom: "367ec3f04475", name: "a provider's own parts go back unchanged", met: "not yet", awaits: "streams" },
  { symptom: "e5d9e99afde4", name: "a text is not mended into arguments", met: "here", awaits: "streams" },
  {
    symptom: "ad5bb2919237",
    name: "nothing of an unfinished response is dispatched",
    met: "not yet",
    awaits: "streams",
  },
  {
    symptom: "bc0a85b65498",
    name: "a text that ends too early is no JSON, whatever it is labelled",
    met: "here",
    awaits: "streams",
  },
  { symptom: "739a4f89a26d", name: "two texts behind one another are no JSON", met: "here", awaits: "streams" },
  {
    symptom: "31ce9ef80c24",
    name: "two calls that share an id are a conflict, not one another's answer",
    met: "here",
    awaits: "streams",
  },
  {
    symptom: "575d0e88906d",
    name: "a second call of one id is told so at once, and its approval has an id of its own",
    met: "here",
  },
  { symptom: "715d856e31c6", name: "thousands of results for one call are refused", met: "here" },
  // After an outcome that nobody knows
  {
    symptom: "8624d1c25d7a",
    name: "a call made again is held by the first, and under a new key needs a new decision",
    met: "here",
  },
  { symptom: "d2f25ce3ee80", name: "a task that is run again and again pays once", met: "here" },
  { symptom: "dd6fe04921e0", name: "a reply that takes too long is not a reason to send again", met: "here" },
  { symptom: "be1f899517ce", name: "what never arrived and what was not heard of again are told apart", met: "here" },
  {
    symptom: "747e3e3e33b1",
    name: "a tool that writes is not called without a key, nor registered without a way to ask",
    met: "here",
  },
  { symptom: "3fbbd74d0a28", name: "a lease that runs out after the commit repeats nothing", met: "here" },
  { symptom: "8edd77540e32", name: "the handle of an operation stays the same over retries", met: "here" },
  { symptom: "ef5f2756a124", name: "what is uncertain can be settled by asking, and only by that", met: "here" },
  { symptom: "5e42961376a6", name: "not yet is no answer", met: "here" },
  {
    symptom: "4a87aca147ac",
    name: "nothing is claimed that cannot be kept",
    met: "elsewhere",
    file: "test/house-rules/words.test.ts",
  },
  // Round about the gate, and what is kept
  {
    symptom: "31003d6e26d6",
    name: "a decision to come is found again after a restart",
    met: "not yet",
    awaits: "persistence",
  },
  { symptom: "58abf4321210", name: "an output is checked on every way out", met: "here" },
  {
    symptom: "a5f4642b34e2",
    name: "a journal that lost its end does not verify",
    met: "not yet",
    awaits: "persistence",
  },
];
