import type { Item } from '../../engine/resource.ts'
import type { Known } from '../../formats/identified.ts'
import type { Outbound } from '../../ports/outbound.ts'

/** Something that a feed brought, on its way in. */
export interface Piece {
  /** What the feed calls it, for people: an address, the id of an event, the name of a file. */
  readonly name: string
  /** Read once; it may be larger than memory. */
  readonly content: AsyncIterable<Uint8Array>
  /** As the sender says. */
  readonly contentType: string | null
  /** A detached OpenPGP signature, armored, where the feed has one beside its content. */
  readonly signature?: string | undefined
  /** Which document it is, where that can be told apart from what it says. */
  readonly about?: Known | undefined
}

/** One step of a collection: what came, if anything did, and from where the next one goes on once that is stored. */
export interface Step {
  readonly piece?: Piece | undefined
  readonly cursor: Item | null
  /** Runs once the piece and the cursor are stored for good: removes a file that was taken in. */
  readonly stored?: (() => Promise<void>) | undefined
}

/** What a collector works with. */
export interface Collecting<C = Item> {
  /** The configuration of the transport, secrets included. */
  readonly configuration: C
  /** What the last step that was stored said; null at the first time. */
  readonly cursor: Item | null
  readonly outbound: Outbound
  /** Whether everything is fetched each time, and not only what is new. */
  readonly isWhole?: boolean | undefined
  /** The folders that the operator lets feeds read and write. */
  readonly folders: readonly string[]
  /** The largest piece that is taken, in bytes. */
  readonly largest: number
  readonly signal: AbortSignal
  /** Adds a line to the log that users see: no secrets. */
  log(line: string): void
}

/**
 * Fetches what is new since the cursor. Whatever is fetched is told step by step, so that a crash loses nothing and what was
 * stored is not fetched again. A fault of one piece is a line in the log and a piece less, where others can still be fetched.
 */
export type Collector<C = Item> = (collecting: Collecting<C>) => AsyncIterable<Step>

/** What went wrong, by its kind: health is told by these. */
export const FAILURE_KINDS = [
  'unreachable',
  'refused-address',
  'certificate',
  'authentication',
  'not-found',
  'rate-limited',
  'server',
  'timeout',
  'cut-off',
  'too-large',
  'malformed',
  'signature',
  'configuration',
  'internal',
] as const

export type FailureKind = (typeof FAILURE_KINDS)[number]

/** Why nothing more could be fetched or sent, in words for whoever runs the feed. */
export class TransportError extends Error {
  override name = 'TransportError'
  readonly kind: FailureKind
  /** How long the other server asks to be left alone, in seconds. */
  readonly retryAfter: number | undefined

  constructor(kind: FailureKind, message: string, options: ErrorOptions & { retryAfter?: number | undefined } = {}) {
    super(message, options)
    this.kind = kind
    this.retryAfter = options.retryAfter
  }
}
