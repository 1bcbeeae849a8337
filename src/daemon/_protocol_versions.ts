/** The stateless family's one revision. */
export const MODERN_VERSION = "2026-07-28";

/** Revisions of the handshake family, newest first. */
export const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
