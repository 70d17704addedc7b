import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { noteTitle } from './recent.ts'

interface PageHeadProps {
  readonly title: string
  /** Stands before the title, such as an icon. */
  readonly before?: ReactNode
  /** Stands after the title, such as badges. */
  readonly after?: ReactNode
  readonly description?: ReactNode
  /** Buttons at the right. */
  readonly actions?: ReactNode
}

/** The head of every page: it names the page and the window, and has what can be done with all of it. */
export function PageHead({ title, before, after, description, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Corvus`
    noteTitle(window.location.pathname, title)
  }, [title])
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      {/* It gives way to the buttons as far as it can be read, and then stands above them. */}
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
