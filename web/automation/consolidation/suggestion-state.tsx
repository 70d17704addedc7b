import { Badge } from '@mantine/core'
import type { ReviewedState } from './suggestion.ts'

const STATES = {
  open: { label: 'Open', color: 'blue' },
  accepted: { label: 'Consolidated', color: 'green' },
  refused: { label: 'Not the same', color: 'gray' },
  gone: { label: 'No longer suggested', color: 'gray' },
} as const

/** The state of a suggestion, as text and colour. */
export const StateOfSuggestion = ({ state }: { readonly state: ReviewedState }) => (
  <Badge variant="light" radius="xs" color={STATES[state].color} flex="none">
    {STATES[state].label}
  </Badge>
)
