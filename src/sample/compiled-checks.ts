// @ts-nocheck: Ajv writes JavaScript.
// Made by `npm run validators` out of schemas.ts: what Ajv compiles the schemas of the sample tools to, so that nobody waits for
// Ajv who runs these tools only. Their patterns are our own, and run as they are.
import { codePointLength } from "../protocol/identifier.ts";

/** Whether a value fits the schema `getOrderInput`. */
export const getOrderInput: (value: unknown) => boolean = validate20;
const func0 = Object.prototype.hasOwnProperty;
const func62 = codePointLength;
const pattern4 = new RegExp(
  "[^\\u0009-\\u000d\\u001c-\\u001f\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]",
  "u",
);

function validate20(
  data,
  { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {},
) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = undefined;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = undefined;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if ((data.order_ref === undefined || !func0.call(data, "order_ref")) && (missing0 = "order_ref")) {
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 of Object.keys(data)) {
          if (!(key0 === "order_ref")) {
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.order_ref !== undefined && func0.call(data, "order_ref")) {
            let data0 = data.order_ref;
            const _errs2 = errors;
            if (errors === _errs2) {
              if (typeof data0 === "string") {
                if (func62(data0) > 64) {
                  return false;
                } else {
                  if (!pattern4.test(data0)) {
                    return false;
                  }
                }
              } else {
                return false;
              }
            }
          }
        }
      }
    } else {
      return false;
    }
  }
  validate20.errors = vErrors;
  return errors === 0;
}
validate20.evaluated = { props: true, dynamicProps: false, dynamicItems: false };

/** Whether a value fits the schema `getOrderOutput`. */
export const getOrderOutput: (value: unknown) => boolean = validate21;

function validate21(
  data,
  { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {},
) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate21.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = undefined;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = undefined;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (
        ((data.order_ref === undefined || !func0.call(data, "order_ref")) && (missing0 = "order_ref")) ||
        ((data.status === undefined || !func0.call(data, "status")) && (missing0 = "status"))
      ) {
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 of Object.keys(data)) {
          if (!(key0 === "order_ref" || key0 === "status")) {
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.order_ref !== undefined && func0.call(data, "order_ref")) {
            const _errs2 = errors;
            if (typeof data.order_ref !== "string") {
              return false;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.status !== undefined && func0.call(data, "status")) {
              let data1 = data.status;
              const _errs4 = errors;
              if (typeof data1 !== "string") {
                return false;
              }
              if (!(data1 === "paid" || data1 === "pending" || data1 === "refunded")) {
                return false;
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      return false;
    }
  }
  validate21.errors = vErrors;
  return errors === 0;
}
validate21.evaluated = { props: true, dynamicProps: false, dynamicItems: false };

/** Whether a value fits the schema `createRefundDraftInput`. */
export const createRefundDraftInput: (value: unknown) => boolean = validate22;

function validate22(
  data,
  { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {},
) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate22.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = undefined;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = undefined;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (
        ((data.order_ref === undefined || !func0.call(data, "order_ref")) && (missing0 = "order_ref")) ||
        ((data.reason === undefined || !func0.call(data, "reason")) && (missing0 = "reason"))
      ) {
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 of Object.keys(data)) {
          if (!(key0 === "order_ref" || key0 === "reason")) {
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.order_ref !== undefined && func0.call(data, "order_ref")) {
            let data0 = data.order_ref;
            const _errs2 = errors;
            if (errors === _errs2) {
              if (typeof data0 === "string") {
                if (func62(data0) > 64) {
                  return false;
                } else {
                  if (!pattern4.test(data0)) {
                    return false;
                  }
                }
              } else {
                return false;
              }
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.reason !== undefined && func0.call(data, "reason")) {
              let data1 = data.reason;
              const _errs4 = errors;
              if (typeof data1 !== "string") {
                return false;
              }
              if (!(data1 === "duplicate" || data1 === "damaged" || data1 === "other")) {
                return false;
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      return false;
    }
  }
  validate22.errors = vErrors;
  return errors === 0;
}
validate22.evaluated = { props: true, dynamicProps: false, dynamicItems: false };

/** Whether a value fits the schema `createRefundDraftOutput`. */
export const createRefundDraftOutput: (value: unknown) => boolean = validate23;
const pattern6 = new RegExp("^DRAFT-[1-9][0-9]*$", "u");

function validate23(
  data,
  { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {},
) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate23.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = undefined;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = undefined;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (
        ((data.draft_id === undefined || !func0.call(data, "draft_id")) && (missing0 = "draft_id")) ||
        ((data.order_ref === undefined || !func0.call(data, "order_ref")) && (missing0 = "order_ref")) ||
        ((data.reason === undefined || !func0.call(data, "reason")) && (missing0 = "reason"))
      ) {
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 of Object.keys(data)) {
          if (!(key0 === "draft_id" || key0 === "order_ref" || key0 === "reason")) {
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.draft_id !== undefined && func0.call(data, "draft_id")) {
            let data0 = data.draft_id;
            const _errs2 = errors;
            if (errors === _errs2) {
              if (typeof data0 === "string") {
                if (func62(data0) > 64) {
                  return false;
                } else {
                  if (!pattern6.test(data0)) {
                    return false;
                  }
                }
              } else {
                return false;
              }
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.order_ref !== undefined && func0.call(data, "order_ref")) {
              const _errs4 = errors;
              if (typeof data.order_ref !== "string") {
                return false;
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.reason !== undefined && func0.call(data, "reason")) {
                let data2 = data.reason;
                const _errs6 = errors;
                if (typeof data2 !== "string") {
                  return false;
                }
                if (!(data2 === "duplicate" || data2 === "damaged" || data2 === "other")) {
                  return false;
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
            }
          }
        }
      }
    } else {
      return false;
    }
  }
  validate23.errors = vErrors;
  return errors === 0;
}
validate23.evaluated = { props: true, dynamicProps: false, dynamicItems: false };
