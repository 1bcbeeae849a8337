/** Core's own version, a build constant (compat.md section 1; owner decision on identity). */
export const CORE_VERSION = "0.6.0";

/** The wire protocol this build speaks; compared as text, never ordered. */
export const PROTOCOL_VERSION = "theurian/v1";
