import { type Clock, utcText } from "../platform/clock.ts";

/** How much an event matters. */
export type Level = "debug" | "info" | "warn" | "error";

const ORDER: readonly Level[] = ["debug", "info", "warn", "error"];

/**
 * Notes an event: a fixed kebab-case word and facts of our own. Never a token, a header, a query, a
 * body or a project id (daemon-and-setup.md 3.6).
 */
export type Log = (level: Level, event: string, detail?: string) => void;

/** A log that writes one JSON object a line, nothing below `least`. */
export function lineLog(write: (line: string) => void, clock: Clock, least: Level = "warn"): Log {
  return (level, event, detail) => {
    if (ORDER.indexOf(level) < ORDER.indexOf(least)) return;
    const entry = {
      ts: utcText(clock.now()),
      level,
      event,
      ...(detail === undefined ? {} : { detail }),
    };
    write(escapeControls(JSON.stringify(entry)));
  };
}

// JSON leaves DEL, C1 and the two line separators bare; a terminal or a reader may act on them.
function escapeControls(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}
