import { readFileSync } from "node:fs";

interface Position {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
}

/** What Stryker came to. Source: the mutation testing report schema, `MutantStatus`. */
export type Status =
  "Killed" | "Timeout" | "Survived" | "NoCoverage" | "RuntimeError" | "CompileError" | "Ignored" | "Pending";

/** The parts of Stryker's report that are looked at. Source: the mutation testing report schema. */
export interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly status: Status;
          readonly location: { readonly start: Position; readonly end: Position };
          readonly replacement?: string;
          readonly statusReason?: string;
        }[];
      }
    >
  >;
}

/** What a mutant is known by, however many lines stand above it. */
export interface MutantName {
  readonly file: string;
  /** The line on which the mutated text begins. Shape: without types, runs of white space as one space. */
  readonly line: string;
  /** The mutated text. Shape: as `line`, cut where it is long. */
  readonly original: string;
  /** What stands in its place. Shape: as `original`. */
  readonly replacement: string;
}

/** One mutant and what became of it. */
export interface TriedMutant extends MutantName {
  readonly status: Status;
  /** Whether it was cut off by the clock, not because it came by one place too often: on a busy computer no proof. */
  readonly isCutOff: boolean;
  readonly at: Position;
}

const LONGEST = 100;

/** Reads a report that Stryker wrote. */
export function readReport(path: string): Report {
  return JSON.parse(readFileSync(path, "utf8")) as Report;
}

/** Every mutant of a report, by file and place. */
export function mutantsOf({ files }: Report): readonly TriedMutant[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split("\n");
    return mutants
      .map(({ status, statusReason = "", location: { start, end }, replacement = "" }) => ({
        file,
        line: asOneLine(lines[start.line - 1] ?? ""),
        original: short(textBetween(lines, start, end)),
        replacement: short(replacement),
        status,
        isCutOff: status === "Timeout" && !statusReason.startsWith("Hit limit reached"),
        at: start,
      }))
      .toSorted((left, right) => left.at.line - right.at.line || left.at.column - right.at.column);
  });
}

/** A text in which white space, and so what a type left behind, makes no difference. */
export function asOneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ (?=[,;)\]])/g, "")
    .trim();
}

function short(text: string): string {
  const line = asOneLine(text);
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function textBetween(lines: readonly string[], start: Position, end: Position): string {
  const touched = lines.slice(start.line - 1, end.line);
  const last = (touched.pop() ?? "").slice(0, end.column - 1);
  return [...touched, last].join("\n").slice(start.column - 1);
}
