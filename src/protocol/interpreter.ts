/** What carries out the steps of machines: the table compiled from each, or XState itself. Both give the same. */
export type InterpreterName = "table" | "xstate";
