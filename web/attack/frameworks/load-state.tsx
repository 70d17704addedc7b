import { Badge } from '@mantine/core'
import type { FrameworkLoad } from './framework.ts'

const STATES: Readonly<Record<FrameworkLoad['state'], { readonly label: string; readonly color: string }>> = {
  preview: { label: 'Preview', color: 'yellow' },
  loaded: { label: 'Loaded', color: 'green' },
  undone: { label: 'Undone', color: 'gray' },
}

/** How far a load has come. */
export const StateOfLoad = ({ state }: { readonly state: FrameworkLoad['state'] }) => (
  <Badge variant="light" radius="xs" color={STATES[state].color}>
    {STATES[state].label}
  </Badge>
)
