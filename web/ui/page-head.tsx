import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { rememberTitle } from './recent.ts'

interface PageHeadProps {
  readonly title: string
  /** Shown before the title, such as an icon. */
  readonly before?: ReactNode
  /** Shown after the title, such as badges. */
  readonly after?: ReactNode
  readonly description?: ReactNode
  /** Buttons, right-aligned. */
  readonly actions?: ReactNode
}

/** The header of a page: its title, which is also the title of the window, and its actions. */
export function PageHead({ title, before, after, description, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Corvus`
    rememberTitle(window.location.pathname, title)
  }, [title])
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      {/* The title shrinks in favour of the buttons until it would be unreadable, then wraps above them. */}
      <div style={{ flex: '1 1 16rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap="sm">
          {before}
          <Title order={1} size="h2">
            {title}
          </Title>
          {after}
        </Group>
        {description && (
          <Text c="dimmed" size="sm" mt={4}>
            {description}
          </Text>
        )}
      </div>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
