/** Types that XState would act on, or that look like members of a plain object; none is in an alphabet. */
export const FORGED_TYPES = [
  "",
  "*",
  "status.*",
  "xstate.init",
  "xstate.stop",
  "xstate.after.1000.operation.unknown",
  "xstate.done.actor.runTool",
  "xstate.error.actor.runTool",
  "xstate.done.state.operation",
  "xstate.route.fresh",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
] as const;
