import type { Detonator } from './detonator-queries.ts'

/** The state of a detonator in words. */
export interface StateInWords {
  readonly label: string
  readonly color: string
  /** Why it is in this state; null if there is nothing to add. */
  readonly reason: string | null
  /** What to do next; null if nothing. */
  readonly remedy: string | null
}

type Stated = Pick<
  Detonator,
  | 'state'
  | 'state_reason'
  | 'ui_form_schema'
  | 'parameters'
  | 'detonation_per_day_limit'
  | 'today_detonation_count'
  | 'is_consented'
>

/** The required parameters that have no value yet. */
export const missingParameters = ({
  ui_form_schema,
  parameters,
}: Pick<Detonator, 'ui_form_schema' | 'parameters'>): readonly string[] =>
  (ui_form_schema ?? [])
    .filter(({ group, required }) => group === 'parameters' && required)
    .filter(({ name }) => parameters[name] === undefined || parameters[name] === null || parameters[name] === '')
    .map(({ title }) => title)

/** Whether the submissions of the day are used up. */
export const isAtLimit = ({
  detonation_per_day_limit: limit,
  today_detonation_count: count,
}: Pick<Detonator, 'detonation_per_day_limit' | 'today_detonation_count'>): boolean => limit !== null && count >= limit

/** The state of a detonator, why it is in it, and what to do. */
export function stateInWords(detonator: Stated): StateInWords {
  const reason = detonator.state_reason || null
  switch (detonator.state) {
    case 'NOT_INSTALLED':
      return { label: 'Not installed', color: 'red', reason, remedy: 'Delete it, or update the installation.' }
    case 'INACTIVE':
      return inactive(detonator)
    case 'SUSPENDED':
      return { label: 'Suspended', color: 'red', reason, remedy: 'Correct its settings, then resume it.' }
    case 'UNREACHABLE':
      return {
        label: 'Unreachable',
        color: 'red',
        reason,
        remedy: 'It is tried again on its own. Check the address, and test the connection.',
      }
    case 'WAITING':
      return { label: 'Waiting', color: 'orange', reason, remedy: 'It continues on its own. Resume it to try now.' }
    case 'ACTIVE':
      return active(detonator)
  }
}

function inactive(detonator: Stated): StateInWords {
  const missing = missingParameters(detonator)
  return missing.length > 0
    ? { label: 'Not set up', color: 'gray', reason: null, remedy: `To set it up, enter: ${missing.join(', ')}.` }
    : { label: 'Inactive', color: 'gray', reason: null, remedy: 'Activate it to submit samples.' }
}

function active(detonator: Stated): StateInWords {
  if (isAtLimit(detonator))
    return {
      label: 'Limit reached',
      color: 'orange',
      reason: 'All submissions of today are used up.',
      remedy: 'New samples wait until midnight UTC. Raise the limit to submit them now.',
    }
  const remedy = detonator.is_consented ? null : 'Accept its terms before you submit samples.'
  return { label: 'Active', color: 'green', reason: detonator.state_reason || null, remedy }
}

/** States that end at once when the detonator is resumed. */
export const canResume = ({ state }: Pick<Detonator, 'state'>): boolean =>
  state === 'WAITING' || state === 'UNREACHABLE' || state === 'SUSPENDED'

/** The submissions of today against the limit: `3 of 100`. */
export const countInWords = ({
  detonation_per_day_limit: limit,
  today_detonation_count: count,
}: Pick<Detonator, 'detonation_per_day_limit' | 'today_detonation_count'>): string =>
  limit === null
    ? `${count.toLocaleString('en')}, no limit`
    : `${count.toLocaleString('en')} of ${limit.toLocaleString('en')}`

const KINDS = { file: 'files', url: 'URLs' } as const

/** What a detonator takes: `files and URLs`. */
export const kindsInWords = (kinds: readonly ('file' | 'url')[] | null): string =>
  (kinds ?? []).map((kind) => KINDS[kind]).join(' and ')
