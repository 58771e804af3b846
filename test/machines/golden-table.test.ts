import { expect, test } from "vitest";
import { SUBJECTS } from "../engine/subjects.ts";
import { goldenFile, tableText } from "./table-text.ts";

// To update, after comparing the difference with ARCHITECTURE: npx -c 'vitest run test/machines/golden-table.test.ts -u'
test.each(SUBJECTS)("$name is the committed table", async ({ name, table }) => {
  await expect(tableText(table)).toMatchFileSnapshot(goldenFile(name));
});
