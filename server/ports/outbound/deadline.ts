import { OutboundError } from './outbound-error.ts'

/** Ends an exchange that takes too long, in total or without progress. */
export interface Deadline {
  /** Aborted with the reason once the exchange must end. */
  readonly signal: AbortSignal
  /** Starts the idle timer: data must arrive in time from now on. */
  wait(): void
  /** Stops the idle timer: data arrived, and the reader may take its time. */
  rest(): void
  /** Ends the exchange with this reason. */
  fail(reason: unknown): void
  /** Ends the deadline; nothing more is expected. */
  end(): void
}

/** Starts the timers of an exchange. */
export function startDeadline(timeoutMs: number, idleMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const late = (milliseconds: number, what: string) => () =>
    controller.abort(new OutboundError(`${what} within ${milliseconds / 1000} seconds`, 'timeout'))
  const onOuter = () => controller.abort(outer?.reason)
  const whole = setTimeout(late(timeoutMs, 'no complete response'), timeoutMs)
  let idle: NodeJS.Timeout | undefined
  const rest = () => clearTimeout(idle)
  const end = () => {
    rest()
    clearTimeout(whole)
    outer?.removeEventListener('abort', onOuter)
  }
  if (outer?.aborted) onOuter()
  else outer?.addEventListener('abort', onOuter, { once: true })
  return {
    signal: controller.signal,
    wait: () => {
      rest()
      idle = setTimeout(late(idleMs, 'no data'), idleMs)
    },
    rest,
    fail: (reason) => controller.abort(reason),
    end,
  }
}
