import { LIMITS } from "../protocol/limits.ts";

const SHAPE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z$/;
const YEAR_ONE = "0001-01-01T00:00:00Z";

/** Whether a value is a real calendar time in UTC, whole seconds, years 0001 to 9999. Never throws. */
export function isUtcSecond(value: unknown): value is string {
  if (typeof value !== "string" || !SHAPE.test(value) || value < YEAR_ONE) return false;
  const milliseconds = Date.parse(value);
  // Date.parse rolls 30 February over and reads 24:00:00; only a real time comes back as it went in.
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().slice(0, 19) === value.slice(0, 19);
}

/**
 * The UTC time of a second since the Unix epoch.
 * Shape: `YYYY-MM-DDTHH:MM:SSZ`. Units: whole seconds, 0 to 253,402,300,799.
 */
export function formatUtcSecond(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Whether a value is a whole second that the contract can name. */
export function isContractSecond(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= LIMITS.latestSecond;
}
