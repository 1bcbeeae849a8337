import type { CompiledCheck } from "./validate_call.ts";

export const checks: Readonly<Record<string, CompiledCheck>>;
