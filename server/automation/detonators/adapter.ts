import type { z } from 'zod'
import type { OutboundError } from '../../ports/outbound.ts'

/** What sandboxes run. */
export const DETONATION_TYPES = ['file', 'url'] as const
export type DetonationType = (typeof DETONATION_TYPES)[number]

/** What is detonated. The content of a file is read in pieces, as often as it is needed. */
export type Sample =
  | {
      readonly kind: 'file'
      readonly filename: string
      readonly size: number
      readonly md5: string
      readonly sha1: string
      readonly sha256: string
      content(): AsyncIterable<Uint8Array>
    }
  | { readonly kind: 'url'; readonly url: string }

/** A field of a form: of the parameters of a detonator, or of the options of one submission. */
export interface FormField {
  /** Where its value belongs. */
  readonly group: 'parameters' | 'options'
  readonly name: string
  readonly title: string
  readonly description: string
  readonly type: 'text' | 'secret' | 'url' | 'number' | 'boolean' | 'choice'
  readonly required: boolean
  readonly default?: string | number | boolean
  readonly choices?: readonly { readonly value: string; readonly title: string }[]
  /** Only for samples of this kind. */
  readonly only?: DetonationType
}

/** What a user has to accept before anything is sent to the vendor. */
export interface Terms {
  readonly id: string
  readonly title: string
  /** What acceptance means, in our words: who receives the sample, and who can see it there. */
  readonly text: string
  /** The vendor's own terms; null for a server of one's own. */
  readonly url: string | null
}

export interface VendorRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Form
  /** The most bytes of the answer: 2 MiB if it is not given, and never more than `MAX_REPORT_BYTES`. */
  readonly mostBytes?: number
}

/** A form that is sent as multipart/form-data; the file is streamed. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly file?: { readonly field: string; readonly sample: Extract<Sample, { kind: 'file' }> }
}

export interface VendorAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The largest report that is read. */
export const MAX_REPORT_BYTES = 50 * 2 ** 20

/** What an adapter works with. `send` goes through the guarded outbound port and checks before each call that it is still allowed. */
export interface Call {
  /** The parameters of the detonator, validated, with its secrets in plain text. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** Fails with a `DetonatorError` for whatever is not an answer of the vendor; statuses are for the adapter to read. */
  send(request: VendorRequest): Promise<VendorAnswer>
}

/**
 * Why a call failed: `refused`, the credentials or the account (401, 402, 403); `limited`, too many requests (429); `unavailable`, not
 * reached, a time-out or 5xx; `unreadable`, an answer that is not what the vendor documents; `rejected`, this sample is not accepted.
 */
export type DetonatorFault = 'refused' | 'limited' | 'unavailable' | 'unreadable' | 'rejected'

/** The failure of a call, with a sentence for its readers that says what to do. It never contains a secret. */
export class DetonatorError extends Error {
  override name = 'DetonatorError'
  readonly fault: DetonatorFault
  readonly retryAfterSeconds: number | undefined

  constructor(fault: DetonatorFault, message: string, retryAfterSeconds?: number, options?: { cause?: OutboundError }) {
    super(message, options)
    this.fault = fault
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An analysis at the vendor. */
export interface Analysis {
  readonly id: string
  /** Its page there, for people. */
  readonly url: string | null
}

export type Progress =
  | { readonly state: 'running'; readonly detail?: string }
  /** `analysis` if the report stands under another id than the submission. */
  | { readonly state: 'finished'; readonly analysis?: Analysis }
  | { readonly state: 'failed'; readonly reason: string }

export const VERDICTS = ['malicious', 'suspicious', 'clean', 'unknown'] as const
export type Verdict = (typeof VERDICTS)[number]

/** An observable that an analysis produced. `kind` is a type of observables; the engine normalises and checks the value. */
export interface ExtractedValue {
  readonly kind: string
  readonly value: string
  readonly classification: 'good' | 'bad' | 'unknown'
  readonly confidence: 'low' | 'medium' | 'high'
  /** How it is related to the sample, for example `contacted`, `resolved`, `dropped`, `configured`. */
  readonly link_type: string | null
}

export interface AttackReference {
  /** For example `TA0002`; null if the vendor names only the technique. */
  readonly tactic_id: string | null
  /** For example `T1059.001`. */
  readonly technique_id: string | null
}

export interface Process {
  readonly pid: number | null
  readonly parent: number | null
  readonly name: string
  readonly command_line: string | null
}

export interface NetworkContact {
  /** For example `tcp`, `udp`, `dns`, `http`. */
  readonly protocol: string
  readonly host: string | null
  readonly address: string | null
  readonly port: number | null
  readonly url: string | null
}

export interface Signature {
  readonly name: string
  readonly description: string | null
  /** From 0, information, to 10, certainly malicious. */
  readonly severity: number | null
  readonly techniques: readonly string[]
}

export interface DroppedFile {
  readonly name: string
  readonly size: number | null
  readonly md5: string | null
  readonly sha1: string | null
  readonly sha256: string | null
}

/** What a report says, in the words of this platform. Lists have no bounds here: the engine cuts them with a warning. */
export interface Report {
  readonly verdict: Verdict
  /** From 0 to 100. */
  readonly score: number | null
  readonly families: readonly string[]
  readonly tags: readonly string[]
  /** The machine that it ran on, for example `Windows 10 64-bit`. */
  readonly environment: string | null
  /** In ISO 8601. */
  readonly started_at: string | null
  readonly ended_at: string | null
  /** The version of the vendor's engine. */
  readonly engine_version: string | null
  readonly extracts: readonly ExtractedValue[]
  readonly attacks: readonly AttackReference[]
  readonly processes: readonly Process[]
  readonly network: readonly NetworkContact[]
  readonly signatures: readonly Signature[]
  readonly dropped_files: readonly DroppedFile[]
  /** The raw report as the vendor sent it. */
  readonly raw: { readonly filename: string; readonly media_type: string; readonly content: Buffer }
  /** Requests that fetch screenshots, which the engine sends one after another. */
  readonly screenshots: readonly { readonly filename: string; readonly request: VendorRequest }[]
  /** What of the report could not be read. */
  readonly warnings: readonly string[]
}

/** A sandbox as the platform sees it: how samples are submitted, and how its reports are read. */
export interface Adapter {
  /** For example `cape`. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly supportedTypes: readonly DetonationType[]
  /** The types of observables that its reports can yield. */
  readonly extractTypes: readonly string[]
  readonly terms: readonly Terms[]
  /** Validates `parameters`. */
  readonly parameters: z.ZodObject
  /** The parameters that are stored encrypted and never returned. */
  readonly secrets: readonly string[]
  /** Validates the options of a submission. */
  readonly options: z.ZodObject
  /** How both are shown as a form. */
  readonly form: readonly FormField[]
  /** After this time without a report, a detonation has failed. */
  readonly deadlineSeconds: number
  /** One harmless call that shows whether address and credentials are right. */
  check(call: Call): Promise<void>
  /** The latest finished analysis of the same content and, if it matters, options; undefined if the vendor does not know it. */
  find(call: Call, sample: Sample, options: Readonly<Record<string, unknown>>): Promise<Analysis | undefined>
  submit(call: Call, sample: Sample, options: Readonly<Record<string, unknown>>): Promise<Analysis>
  poll(call: Call, analysis: Analysis): Promise<Progress>
  report(call: Call, analysis: Analysis): Promise<Report>
}
