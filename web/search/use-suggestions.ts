import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { Searched } from './filters.ts'
import type { Typed } from './query-text.ts'
import { fieldsQuery, type SearchField, valuesQuery } from './search-queries.ts'

/** A suggestion for the text being typed. */
export interface Suggestion {
  readonly text: string
  readonly note: string
}

const MAX_SUGGESTIONS = 10
/** How long to wait after the last keystroke before requesting values. */
const DEBOUNCE_MS = 120

/** Suggestions for the text being typed: fields from the cached list, values from the server. */
export function useSuggestions(searched: Searched, typed: Typed | undefined): readonly Suggestion[] {
  const { data: fields = [] } = useQuery(fieldsQuery(searched))
  const [settled] = useDebouncedValue(typed, DEBOUNCE_MS)
  const field = fields.find(({ name }) => name === settled?.field)
  const isAsked = settled?.kind === 'value' && field !== undefined && field.type !== 'date'
  const { data: values = [] } = useQuery({
    ...valuesQuery(searched, settled?.field ?? '', settled?.prefix ?? '', MAX_SUGGESTIONS),
    enabled: isAsked,
  })
  if (!typed) return []
  if (typed.kind === 'field') return matchingFields(fields, typed.prefix)
  const own = fields.find(({ name }) => name === typed.field)
  if (own?.type === 'date') return TIMES.filter(({ text }) => text.startsWith(typed.prefix))
  if (!isAsked || settled?.field !== typed.field) return []
  return values
    .filter(({ value }) => isLike(value, typed.prefix, own?.type === 'text'))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ value, count }) => ({ text: value, note: count === 0 ? '' : count.toLocaleString('en') }))
}

/** Fields that start with the text come before those that contain it. */
export function matchingFields(fields: readonly SearchField[], prefix: string): readonly Suggestion[] {
  const wanted = prefix.toLowerCase()
  const rank = ({ name }: SearchField): number => {
    const own = name.toLowerCase()
    if (own.startsWith(wanted)) return 0
    return own.split('.').some((part) => part.startsWith(wanted)) ? 1 : own.includes(wanted) ? 2 : 3
  }
  return fields
    .filter((field) => rank(field) < 3)
    .toSorted((a, b) => rank(a) - rank(b) || a.name.length - b.name.length)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name, description }) => ({ text: name, note: description }))
}

/** Keyword values match by prefix, texts by the prefix of any word. */
function isLike(value: string, prefix: string, isText: boolean): boolean {
  const [own, wanted] = [value.toLowerCase(), prefix.toLowerCase()]
  return own.startsWith(wanted) || (isText && own.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)))
}

const TIMES: readonly Suggestion[] = [
  { text: '[now-1d TO now]', note: 'last day' },
  { text: '[now-7d TO now]', note: 'last week' },
  { text: '[now-30d TO now]', note: 'last 30 days' },
  { text: '[now-1y TO now]', note: 'last year' },
  { text: 'now/d', note: 'today' },
]
