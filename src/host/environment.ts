/** Whether text for people may have colours, as far as the environment says so. Source: no-color.org. */
export function environmentAllowsColor(): boolean {
  const { NO_COLOR, TERM } = process.env;
  return (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
}
