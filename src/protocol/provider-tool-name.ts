const FITS_EVERY_PROVIDER = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const LONGEST = 64;

/**
 * The name under which a tool is offered to any provider. One that every provider takes stays as it is; else each
 * character that some provider refuses becomes `_`, one at the start that may not stand there is preceded by `_`, and what
 * is too long is cut. Two names can become one: registration refuses that.
 * Source: OpenAI takes `^[a-zA-Z0-9_-]{1,64}$`; Anthropic `^[a-zA-Z0-9_-]{1,128}$`, before 2025 up to 64; Gemini letters,
 * digits, `_`, `-`, `.` and `:`, up to 64, a letter or `_` first.
 */
export function providerToolName(name: string): string {
  if (FITS_EVERY_PROVIDER.test(name)) return name;
  const replaced = name.replaceAll(/[^a-zA-Z0-9_-]/gu, "_");
  return (/^[a-zA-Z_]/.test(replaced) ? replaced : `_${replaced}`).slice(0, LONGEST);
}
