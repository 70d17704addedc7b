import { call } from '../../api/call.ts'
import { idOf } from '../../api/lists.ts'
import { defang } from '../../domain/observables.ts'
import { TLP_COLOURS, tlpName } from '../../domain/tlp.ts'
import { base64Of, MAX_ATTACHMENT_SIZE } from '../../intelligence/entity/attachment-upload.ts'
import { assertSize } from '../../ui/assert-size.ts'
import type { Detonator } from '../detonators/detonator-queries.ts'
import { isAtLimit, missingParameters } from '../detonators/detonator-words.ts'
import type { Detonation } from './detonation-queries.ts'
import { sampleName } from './detonation-words.ts'

/** What is submitted: a file that the user selects, an address, or an object of the platform. */
export type Sample =
  | { readonly via: 'upload'; readonly file: File }
  | { readonly via: 'url'; readonly url: string }
  | { readonly via: 'file'; readonly id: number | string; readonly name: string; readonly tlp?: string | null }
  | { readonly via: 'attachment'; readonly id: string; readonly name: string; readonly tlp?: string | null }
  | { readonly via: 'observable'; readonly id: number | string; readonly name: string; readonly kind: 'file' | 'url' }
  | {
      readonly via: 'detonation'
      readonly id: string
      readonly name: string
      readonly kind: 'file' | 'url'
      /** Which it was submitted to. */
      readonly detonator: number
      readonly options: Readonly<Record<string, unknown>>
      /** Since when that has a result for it. */
      readonly resultAt?: string | null
    }

export function kindOf(sample: Sample): 'file' | 'url' {
  if (sample.via === 'observable' || sample.via === 'detonation') return sample.kind
  return sample.via === 'url' ? 'url' : 'file'
}

/** The name of a sample; addresses are defanged. */
export function nameOfSample(sample: Sample): string {
  if (sample.via === 'upload') return sample.file.name
  return sample.via === 'url' ? defang('uri', sample.url) : sample.name
}

/** The colour of a sample as far as the page knows it; the server also checks where else the sample occurs. */
export const tlpOfSample = (sample: Sample): string | null => ('tlp' in sample ? (sample.tlp ?? null) : null)

/** Whether a colour is more restricted than another. */
export const isAbove = (colour: string | null, ceiling: string | null): boolean =>
  colour !== null && ceiling !== null && orderOf(colour) > orderOf(ceiling)

const ORDER: readonly string[] = TLP_COLOURS
const orderOf = (colour: string): number => ORDER.indexOf(colour)

type Offered = Pick<
  Detonator,
  | 'state'
  | 'state_reason'
  | 'ui_form_schema'
  | 'parameters'
  | 'supported_detonation_types'
  | 'max_tlp'
  | 'detonation_per_day_limit'
  | 'today_detonation_count'
>

/** Why a detonator cannot receive a sample; undefined if it can. */
export function blockedBy(
  detonator: Offered,
  kind: 'file' | 'url' | undefined,
  tlp: string | null,
): string | undefined {
  switch (detonator.state) {
    case 'NOT_INSTALLED':
      return 'Its adapter is not installed.'
    case 'INACTIVE':
      return missingParameters(detonator).length > 0 ? 'It is not set up yet.' : 'It is inactive.'
    case 'SUSPENDED':
      return ['It is suspended.', detonator.state_reason].filter(Boolean).join(' ')
  }
  if (kind && !(detonator.supported_detonation_types ?? []).includes(kind))
    return kind === 'url' ? 'It does not take URLs.' : 'It does not take files.'
  if (isAbove(tlp, detonator.max_tlp))
    return `The sample is TLP:${tlpName(tlp ?? '')}, and it may receive at most TLP:${tlpName(detonator.max_tlp ?? '')}.`
  return undefined
}

/** Why a sample would not be submitted at once, although it is accepted; undefined if it would. */
export function delayedBy(detonator: Offered): string | undefined {
  if (isAtLimit(detonator)) return 'Its limit of today is reached: the sample waits until midnight UTC.'
  if (detonator.state === 'WAITING' || detonator.state === 'UNREACHABLE')
    return ['The sample waits until the sandbox answers again.', detonator.state_reason].filter(Boolean).join(' ')
  return undefined
}

interface Chosen {
  readonly detonators: readonly number[]
  readonly tlp: string
  readonly options: Readonly<Record<string, unknown>>
  /** Whether it is submitted even if there is a result. */
  readonly isForced: boolean
}

/** Submits a sample to detonators; returns the detonations. */
export async function submitSample(
  sample: Sample,
  { detonators, tlp, options, isForced }: Chosen,
): Promise<readonly Detonation[]> {
  const data = {
    detonators,
    options,
    ...(tlp !== '' && { tlp_color: tlp }),
    ...(isForced && { force: true }),
    ...(await partsOf(sample)),
  }
  return (await call<{ data: readonly Detonation[] }>('POST', 'detonations', { data })).data
}

async function partsOf(sample: Sample): Promise<Record<string, unknown>> {
  switch (sample.via) {
    case 'upload':
      assertSize(sample.file, MAX_ATTACHMENT_SIZE)
      return { filename: sample.file.name, data: await base64Of(sample.file) }
    case 'url':
      return { url: sample.url }
    default:
      return { [sample.via]: sample.id }
  }
}

/** The sample of a detonation, to submit it again. */
export const sampleOf = (detonation: Detonation): Sample => ({
  via: 'detonation',
  id: detonation.id,
  name: sampleName(detonation),
  kind: detonation.kind,
  detonator: Number(idOf(detonation.detonator)),
  options: detonation.options,
  ...(detonation.state === 'FINISHED' && { resultAt: detonation.finished_at }),
})
