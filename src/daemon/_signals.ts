/** What ended the wait. */
export type StopSignal = "SIGINT" | "SIGTERM";

/** A wait for the signals that stop or reload a daemon. */
export interface SignalWatch extends Disposable {
  /** The first signal that asks for a stop. */
  readonly stopped: Promise<StopSignal>;
  /** A second one while stopping. */
  readonly insisted: Promise<StopSignal>;
}

/**
 * Watches SIGINT and SIGTERM, and SIGHUP, which reloads and never stops
 * (daemon-and-setup.md 3.5).
 */
export function watchSignals(reload: () => void): SignalWatch {
  const stopped = Promise.withResolvers<StopSignal>();
  const insisted = Promise.withResolvers<StopSignal>();
  let count = 0;
  const asked = (signal: StopSignal) => () => {
    count++;
    (count === 1 ? stopped : insisted).resolve(signal);
  };
  const handlers: [Deno.Signal, () => void][] = [["SIGINT", asked("SIGINT")]];
  if (Deno.build.os !== "windows") {
    handlers.push(["SIGTERM", asked("SIGTERM")], ["SIGHUP", reload]);
  }
  for (const [signal, handler] of handlers) Deno.addSignalListener(signal, handler);
  return {
    stopped: stopped.promise,
    insisted: insisted.promise,
    [Symbol.dispose]: () => {
      for (const [signal, handler] of handlers) Deno.removeSignalListener(signal, handler);
    },
  };
}
