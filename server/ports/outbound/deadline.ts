import { OutboundError } from './outbound-error.ts'

/** Ends an exchange that takes too long, as a whole or without a sign of life. */
export interface Deadline {
  /** Aborted with the reason, once there is one. */
  readonly signal: AbortSignal
  /** From now on something has to come in time. */
  wait(): void
  /** Something came: the time until somebody asks for more is theirs. */
  rest(): void
  /** It cannot go on, for this reason. */
  fail(reason: unknown): void
  /** Nothing more is expected. */
  end(): void
}

/** Starts the time of an exchange. */
export function startDeadline(timeoutMs: number, idleMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const late = (milliseconds: number, what: string) => () =>
    controller.abort(new OutboundError(`${what} within ${milliseconds / 1000} seconds`, 'timeout'))
  const onOuter = () => controller.abort(outer?.reason)
  const whole = setTimeout(late(timeoutMs, 'no whole answer'), timeoutMs)
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
      idle = setTimeout(late(idleMs, 'nothing came'), idleMs)
    },
    rest,
    fail: (reason) => controller.abort(reason),
    end,
  }
}
