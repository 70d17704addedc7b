import { defangText } from './defang-text.ts'

/** What two entities have in common, as the API returns it. */
export interface Reason {
  readonly kind: string
  /** Normalised: lower case, without punctuation; null or empty if there is nothing to show. */
  readonly value: string | null
}

interface KindOfReason {
  /** The kind as a short noun, for lists and filters. */
  readonly label: string
  /** What two entities have in common. */
  readonly pair: (value: string) => string
  /** The same for one contributor of a unified entity. */
  readonly join: (value: string) => string
}

const inQuotes = (text: string): string => `“${text}”`

/** A sentence that continues with a value, if there is one. */
const withValue =
  (text: string) =>
  (value: string): string =>
    value === '' ? text : `${text} ${inQuotes(value)}`

const KINDS: Readonly<Record<string, KindOfReason>> = {
  assigned: {
    label: 'Assigned by a user',
    pair: () => 'A user consolidated them',
    join: () => 'Assigned by a user',
  },
  id: {
    label: 'External id',
    pair: withValue('Both have the external id'),
    join: withValue('Same external id'),
  },
  title: {
    label: 'Title',
    pair: withValue('Both have the title'),
    join: withValue('Same title'),
  },
  names: {
    label: 'Names of each other',
    pair: (value) =>
      value === '' ? 'Each title is a name of the other' : `Each title is a name of the other: ${both(value)}`,
    join: (value) => (value === '' ? 'Known by each other’s names' : `Known by each other’s names: ${both(value)}`),
  },
  pattern: {
    label: 'STIX pattern',
    pair: () => 'Both have the same STIX pattern',
    join: () => 'Same STIX pattern',
  },
  content: {
    label: 'Title and observables',
    pair: () => 'Both have the same title and the same observables',
    join: () => 'Same title and observables',
  },
  place: {
    label: 'Place',
    pair: withValue('Both are the same kind of place and are called'),
    join: withValue('Same kind of place and same title'),
  },
  name: {
    label: 'Shared name',
    pair: withValue('Both are called'),
    join: withValue('Shares the name'),
  },
}

/** The separator of two names in a value, which normalised names do not contain. */
const PAIR = ' / '

const both = (value: string): string => value.split(PAIR).map(inQuotes).join(' and ')

const shown = ({ value }: Reason): string => defangText(value ?? '')

/** The kinds of reasons for which entities are joined or suggested, the strongest first. */
export const REASON_KINDS: readonly string[] = Object.keys(KINDS)

/** A kind of reason as a short noun: “External id”. */
export const reasonKindLabel = (kind: string): string => KINDS[kind]?.label ?? kind

/** What two entities have in common, as a sentence without a full stop: “Both are called “Fancy Bear””. */
export const reasonInWords = (reason: Reason): string =>
  KINDS[reason.kind]?.pair(shown(reason)) ?? withValue(`Both have the same ${reason.kind}`)(shown(reason))

/** Why an entity contributes to a unified entity: “Same title “Fancy Bear””. */
export const joinInWords = (reason: Reason): string =>
  KINDS[reason.kind]?.join(shown(reason)) ?? withValue(`Same ${reason.kind}`)(shown(reason))

/** The names that a reason is about, to highlight them where they occur. */
export function namesIn({ kind, value }: Reason): readonly string[] {
  if (!value) return []
  if (kind === 'names') return value.split(PAIR)
  return ['title', 'name', 'place', 'id'].includes(kind) ? [value] : []
}
