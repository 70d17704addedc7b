import type { ApiError } from './errors.ts'

/** The response to a refused request. */
export interface Refused {
  readonly type: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

/** The format of errors below a base path, where a standard defines one. */
export interface Dialect {
  readonly base: string
  refuse(fault: ApiError, requestId: string): Refused
}
