import type { ApiError } from './errors.ts'

/** What a refusal is answered with. */
export interface Refused {
  readonly type: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

/** How faults are told below a base path where a standard says so. */
export interface Dialect {
  readonly base: string
  refuse(fault: ApiError, requestId: string): Refused
}
