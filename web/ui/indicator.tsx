import { ActionIcon, Group, Menu, Text } from '@mantine/core'
import { defang } from '../domain/observables.ts'
import { showErrorToast, showToast } from './toasts.tsx'

interface IndicatorProps {
  readonly type: string
  readonly value: string
  /** Whether to show the copy menu. */
  readonly canCopy?: boolean
}

/** The value of an observable: always defanged, never a link, with a menu to copy it defanged or as stored. */
export function Indicator({ type, value, canCopy = true }: IndicatorProps) {
  const shown = defang(type, value)
  const text = (
    <Text component="span" className="code" inherit>
      {shown}
    </Text>
  )
  if (!canCopy) return text
  const copy = (copied: string) => navigator.clipboard.writeText(copied).then(() => showToast('Copied'), showErrorToast)
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      {text}
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <ActionIcon size="xs" variant="subtle" color="gray" aria-label={`Copy ${shown}`}>
            <svg viewBox="0 0 16 16" width="12" height="12" fill="none" stroke="currentColor" aria-hidden="true">
              <path d="M5.5 5.5h8v8h-8zM2.5 10.5v-8h8" />
            </svg>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void copy(shown)}>Copy defanged</Menu.Item>
          <Menu.Item onClick={() => void copy(value)}>Copy as stored</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
