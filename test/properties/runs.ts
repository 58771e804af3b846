/**
 * How often a property is tried. Shape: `CALLGATE_PROPERTY_RUNS` is a factor, `10` tries everything ten times as often;
 * default 1.
 */
export function numberOfRuns(ordinary: number): number {
  const factor = Number(process.env["CALLGATE_PROPERTY_RUNS"] ?? "1");
  if (!(factor > 0)) throw new TypeError("CALLGATE_PROPERTY_RUNS must be a number above 0");
  return Math.ceil(ordinary * factor);
}
