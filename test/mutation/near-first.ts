import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { testsOfRun } from "./rooms.ts";

/** Runs the test files in the order in which their room names them: what is near notices first, and ends the run. */
export class NearFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const tests = testsOfRun();
    const { root } = this.ctx.config;
    const distance = ({ moduleId }: TestSpecification): number => {
      const path = relative(root, moduleId);
      return tests.findIndex((near) => path === near || path.startsWith(`${near}/`));
    };
    return files.toSorted((left, right) => distance(left) - distance(right));
  }
}
