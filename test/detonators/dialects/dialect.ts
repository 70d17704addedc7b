import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../server/config.ts'
import type { Received } from '../vendor-requests.ts'

/** What a call of an adapter asks for. */
export type What = 'check' | 'find' | 'submit' | 'poll' | 'report' | 'screenshot'

/** An analysis at a vendor. */
export interface Analysis {
  readonly vendor: string
  /** Counted over all vendors, from 1. */
  readonly number: number
  readonly id: string
  readonly sha256: string | null
  readonly sha1: string | null
  readonly md5: string | null
  readonly filename: string | null
  readonly url: string | null
  /** How often it was polled. */
  polls: number
}

/** How far an analysis is; `progress` grows from 0 to 1. */
export type Progressed = Analysis & {
  readonly isFinished: boolean
  readonly progress: number
  readonly isFailed?: boolean
}

export interface Reply {
  readonly status?: number
  readonly type?: string
  readonly body: unknown
}

/** How a vendor speaks. */
export interface Dialect {
  /** What follows the name of the vendor in the address that adapters get. */
  readonly base: string
  /** The credentials that are accepted. */
  readonly key: string
  idOf(number: number): string
  isAuthorised(received: Received): boolean
  readonly unauthorised: unknown
  recognise(
    method: string,
    path: string,
    query: URLSearchParams,
  ): { readonly what: What; readonly id?: string; readonly sha256?: string; readonly part?: string } | undefined
  /** The id or hash in a body, if it is not in the path. */
  wantedIn?(received: Received): string | undefined
  checked(): Reply
  found(analyses: readonly Progressed[]): Reply
  submitted(analysis: Analysis): Reply
  polled(analysis: Progressed, part?: string): Reply
  /** `part` names the recorded answer if it is not the report itself. */
  reported(analysis: Analysis, part?: string): Reply
  screenshot(id: string): Reply
  /** The answer about an analysis that does not exist. */
  readonly unknown: Reply
}

/** The recorded report for an analysis: `clean-report.json` if the name of its file contains "clean", otherwise `report.json`. */
export function recordedReport(vendor: string, analysis: Analysis, part?: string): unknown {
  const { id, number, filename, sha256, sha1, md5, url } = analysis
  const name = part ?? (filename?.includes('clean') ? 'clean-report' : 'report')
  const recorded = readFileSync(join(root, `test/detonators/answers/${vendor}/${name}.json`), 'utf8')
  const values = { id, number, filename: filename ?? 'sample.exe', sha256, sha1, md5, url: url ?? '' }
  const filled = recorded.replaceAll(/\$\{(\w+)\}/g, (_, key: keyof typeof values) =>
    JSON.stringify(String(values[key] ?? '')).slice(1, -1),
  )
  return (JSON.parse(filled) as { body: unknown }).body
}

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
