import type { z } from 'zod'
import type { EntityType } from '../../intelligence/entities/entity-data.ts'
import type { Question, Resolved } from '../../ports/outbound.ts'

/** The observable that is looked up, in its canonical spelling. */
export interface Subject {
  readonly type: string
  readonly value: string
}

/** The most that one look-up may find, before it is cut off with a warning. */
export const MAX_FINDINGS = 500
/** The largest answer of a source, in bytes. */
export const MAX_ANSWER_BYTES = 2 * 2 ** 20
/** The deepest JSON that is read from a source. */
export const MAX_ANSWER_DEPTH = 32

/** What a source says about an observable: a closed vocabulary, so that every source is stored and shown in the same way. */
export type Finding =
  /** A verdict of the source on the observable itself; `reason` says in the words of the source why. */
  | { readonly kind: 'verdict'; readonly maliciousness: 'safe' | 'low' | 'medium' | 'high'; readonly reason?: string }
  /** Another observable and how it is related, in lower-case words with hyphens such as `resolves-to`. */
  | {
      readonly kind: 'link'
      readonly relation: string
      readonly observable: Subject
      readonly first_seen?: string
      readonly last_seen?: string
    }
  /** Something that the source names: a family, an actor, a vulnerability, a report. `id` is stable at the source. */
  | {
      readonly kind: 'entity'
      readonly type: EntityType
      readonly id: string
      readonly title: string
      readonly description?: string
      readonly names?: readonly string[]
      readonly url?: string
    }
  | { readonly kind: 'tag'; readonly value: string }
  /** A technique of the attack framework, for example `T1566.001`. */
  | { readonly kind: 'attack'; readonly node: string }
  | { readonly kind: 'reference'; readonly url: string; readonly title?: string; readonly description?: string }
  | { readonly kind: 'attachment'; readonly name: string; readonly media_type: string; readonly content: Buffer }

/** The result of one look-up. */
export type LookUpResult =
  | { readonly state: 'FOUND'; readonly findings: readonly Finding[]; readonly warnings?: readonly string[] }
  /** The source knows nothing about the observable. */
  | { readonly state: 'EMPTY' }
  /** The observable cannot be looked up with this source, for example because a table is not loaded. */
  | { readonly state: 'SKIPPED'; readonly reason: string }

/** A request to another server. The host is fixed by the function, or set by an administrator in a parameter. */
export interface SourceRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface SourceAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Why a look-up failed; decides what happens to the enricher. */
export type EnricherFault =
  /** The source refuses the credentials or the account (401, 402, 403): the enricher is suspended until it is saved again. */
  | 'refused'
  /** The source refuses further requests for now (429): no other request is sent before `retryAfterSeconds`. */
  | 'limited'
  /** The source cannot be reached or fails (5xx, timeout): repeated faults open the circuit breaker. */
  | 'unavailable'
  /** The answer cannot be read: HTML, truncated JSON, too large, too deep. */
  | 'unreadable'

/** The failure of a look-up, with a sentence for its readers that says what to do. It never contains a secret. */
export class EnricherError extends Error {
  override name = 'EnricherError'
  readonly fault: EnricherFault
  readonly retryAfterSeconds: number | undefined

  constructor(fault: EnricherFault, message: string, retryAfterSeconds?: number) {
    super(message)
    this.fault = fault
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** What a function works with while it looks an observable up. */
export interface LookUp {
  /** The parameters of the enricher, validated, with its secrets in plain text. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** Sends a request within the limits of the enricher, through the guarded outbound port. Every call is counted. */
  call(request: SourceRequest): Promise<SourceAnswer>
  /** Asks name servers within the limits of the enricher. Every question counts as a call. */
  resolve(question: Question): Promise<Resolved>
  /** The rows of a table under keys, which are compared without case, in the order of the keys; undefined if it is not loaded. */
  rows(table: string, keys: readonly string[]): Promise<readonly TableHit[] | undefined>
  /** The rows of a table whose networks contain an address, the narrowest first; undefined if it is not loaded. */
  rowsAround(table: string, address: string): Promise<readonly TableHit[] | undefined>
}

/** A row of a table, and the key or network under which it was found. */
export interface TableHit {
  readonly key: string
  readonly row: Readonly<Record<string, unknown>>
}

/** How often a source may be called: at most `calls` in any `seconds`. */
export interface CallLimit {
  readonly calls: number
  readonly seconds: number
}

/** A function that enrichers name in `enricher`. */
export interface EnricherFunction {
  /** For example `http:virustotal`. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly supportedTypes: readonly string[]
  /** Validates `parameters`; the members named in `secrets` are stored encrypted and never returned. */
  readonly parameters: z.ZodObject
  readonly secrets: readonly string[]
  /** The limits of the source for an account without a contract, as defaults of new enrichers. */
  readonly limits: readonly CallLimit[]
  /** Whether observables leave this machine: the default `max_tlp` is then GREEN. */
  readonly isRemote: boolean
  /** How many requests one look-up sends at most, for forecasts. */
  readonly requestsPerLookUp: number
  /** For people: the page about an observable at the source, by type, with `${input}` for the value. */
  readonly sourceUrls?: Readonly<Record<string, string>>
  /** What to do before it can be used, for example which table to load; null if nothing. */
  readonly setUp: string | null
  lookUp(context: LookUp, subject: Subject): Promise<LookUpResult>
}
