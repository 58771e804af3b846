/** Whether somebody may be watching, as far as the environment says so: build servers set CI. */
export function environmentIsAttended(): boolean {
  const { CI } = process.env;
  return CI === undefined || CI === "" || CI === "false";
}
