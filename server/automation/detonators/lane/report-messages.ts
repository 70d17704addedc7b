import {
  type Analysis,
  type Call,
  DetonatorError,
  type Report,
  type VendorAnswer,
  type VendorRequest,
} from '../adapter.ts'

/** The input of the thread that reads a report. */
export interface Task {
  /** The name of an adapter of the platform. */
  readonly adapter: string
  readonly parameters: Call['parameters']
  readonly analysis: Analysis
  readonly secrets: readonly string[]
  /** To the first requests, in their order. */
  readonly answers: readonly VendorAnswer[]
}

/** The parts of a fault that pass between threads. */
export type Fault = Pick<DetonatorError, 'fault' | 'message' | 'retryAfterSeconds'>

/** What the thread says: a request that is to be sent for it, or its result. Adapters send one request after another. */
export type Said = { readonly request: VendorRequest } | { readonly report: Report } | { readonly fault: Fault }

/** What became of a request. */
export type Answered = { readonly answer: VendorAnswer } | { readonly fault: Fault }

export const faultOf = ({ fault, message, retryAfterSeconds }: DetonatorError): Fault => ({
  fault,
  message,
  retryAfterSeconds,
})

export const faultFrom = ({ fault, message, retryAfterSeconds }: Fault): DetonatorError =>
  new DetonatorError(fault, message, retryAfterSeconds)

/** Buffers arrive in another thread as plain byte arrays. */
export const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** The memory of large buffers, to be handed over: copying it takes time. Small ones share theirs. */
export const memoryOf = (buffers: readonly Uint8Array[]): ArrayBuffer[] =>
  buffers.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && byteLength === buffer.byteLength ? [buffer] : [],
  )
