/** Why texts did not get where they were sent. */
export type Loss = "absent" | "gone" | "full" | "slow";

/** Somewhere that texts go and nothing comes back from. It never throws, never waits, and never holds the process open. */
export interface LineSink {
  /** Sends one text, or loses it. */
  send(text: string): void;
  /** Sends what is left, for so long and no longer, and lets go. Holds the process open until then. */
  end(withinMs: number): Promise<void>;
}

/** How a sink is watched and bounded. */
export interface LineSinkOptions {
  /** What may wait to be sent; what comes on top of it is lost. Units: UTF-16 units. */
  readonly longestQueue: number;
  /** Is told of every loss. */
  readonly onLoss: (loss: Loss) => void;
}
