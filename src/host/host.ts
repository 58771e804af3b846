/**
 * The only door to time and randomness. Nothing else in the product reads a clock or makes an id.
 */
export interface Host {
  /** Units: whole seconds since the Unix epoch, 0 to 253,402,300,799. */
  now(): number;
  /** A clock that never goes back, for deadlines. Units: milliseconds. */
  monotonicMs(): number;
  /**
   * Calls back once after a while; the returned function forgets it.
   * @param holdsOpen whether the process must live until then: somebody waits for it
   */
  after(delayMs: number, callback: () => void, holdsOpen: boolean): () => void;
  /** 128 random bits. Shape: 32 lowercase hex digits. */
  randomId(): string;
}
