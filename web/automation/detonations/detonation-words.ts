import { defang } from '../../domain/observables.ts'
import type { Detonation, ListedDetonation } from './detonation-queries.ts'

interface Labelled {
  readonly label: string
  readonly color: string
}

/** The states of detonations in words, in their order. */
export const STATES: Readonly<Record<Detonation['state'], Labelled>> = {
  WAITING: { label: 'Waiting', color: 'gray' },
  CHECKING: { label: 'Checking hash', color: 'blue' },
  SUBMITTING: { label: 'Submitting', color: 'blue' },
  RUNNING: { label: 'Running', color: 'blue' },
  REPORTING: { label: 'Reading report', color: 'blue' },
  FINISHED: { label: 'Finished', color: 'green' },
  FAILED: { label: 'Failed', color: 'red' },
  REFUSED: { label: 'Refused', color: 'red' },
  CANCELLED: { label: 'Cancelled', color: 'gray' },
}

/** What a report says about the sample. */
export const VERDICTS: Readonly<Record<NonNullable<Detonation['verdict']>, Labelled>> = {
  malicious: { label: 'Malicious', color: 'red' },
  suspicious: { label: 'Suspicious', color: 'orange' },
  clean: { label: 'Clean', color: 'green' },
  unknown: { label: 'No verdict', color: 'gray' },
}

const STEPS: readonly (Pick<Detonation, 'state'> & { readonly text: string })[] = [
  { state: 'WAITING', text: 'Waiting for its turn' },
  { state: 'CHECKING', text: 'Asking whether the sandbox knows the sample' },
  { state: 'SUBMITTING', text: 'Sending the sample' },
  { state: 'RUNNING', text: 'The sandbox is running the sample' },
  { state: 'REPORTING', text: 'Reading the report' },
]

/** How far a detonation has come: what it is doing, and which of the five steps that is. */
export function progressOf({ state }: Pick<Detonation, 'state'>): { readonly text: string; readonly percent: number } {
  const at = STEPS.findIndex((step) => step.state === state)
  const step = STEPS[at]
  if (step === undefined) return { text: STATES[state].label, percent: 100 }
  return { text: step.text, percent: ((at + 0.5) / STEPS.length) * 100 }
}

/** What to do about a detonation that has no report; null if nothing. */
export function remedyOf({ state, vendor_url }: Pick<Detonation, 'state' | 'vendor_url'>): string | null {
  switch (state) {
    case 'FAILED':
      return vendor_url === null
        ? 'Detonate the sample again, or test the connection of the detonator.'
        : 'Detonate the sample again, or open the analysis at the vendor.'
    case 'REFUSED':
      return 'Nothing was sent. Once the reason no longer applies, detonate the sample again.'
    case 'CANCELLED':
      return 'Detonate the sample again to get a report. What the sandbox has received, it keeps.'
    default:
      return null
  }
}

/** The name of the sample of a detonation, defanged. */
export function sampleName({
  kind,
  filename,
  url,
  hashes,
}: Pick<ListedDetonation, 'kind' | 'filename' | 'url' | 'hashes'>): string {
  if (kind === 'url') return url === null ? 'URL' : defang('uri', url)
  return filename || (hashes ? `${hashes.sha256.slice(0, 16)}…` : 'File')
}

/** The filter on detonations for the text of a search: by a hash or a URL; undefined if it is neither. */
export function searchFilter(text: string): Readonly<Record<string, string>> | undefined {
  const typed = text.trim()
  if (/^[0-9a-f]+$/i.test(typed)) {
    const name = HASHES[typed.length]
    return name === undefined ? undefined : { [`filter[hashes.${name}]`]: typed.toLowerCase() }
  }
  const url = typed.replace(/^hxxp/i, 'http').replaceAll('[.]', '.').replace('[:]', ':').replace('[://]', '://')
  return /^https?:\/\/./i.test(url) ? { 'filter[url]': url } : undefined
}

const HASHES: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }
