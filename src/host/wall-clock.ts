/** When something happens, for people and programs that watch; nothing is decided by it. Units: milliseconds since the Unix epoch. */
export function wallClockMs(): number {
  return Date.now();
}
