import { Badge, Button, Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface FoundListProps {
  readonly title: string
  readonly count: number
  readonly action?: ReactNode
  /** Shows the rest; absent if everything is shown. */
  readonly more?: (() => void) | undefined
  readonly children: ReactNode
}

/** One kind of things that were found in a text. */
export function FoundList({ title, count, action, more, children }: FoundListProps) {
  const id = useId()
  return (
    <Stack gap="xs" component="section" aria-labelledby={id}>
      <Group gap="xs">
        <Title order={3} size="h6" id={id}>
          {title}
        </Title>
        <Badge size="sm" variant="light" color="gray">
          {count}
        </Badge>
        {action}
      </Group>
      {children}
      {more && (
        <Button size="compact-xs" variant="subtle" onClick={more} style={{ alignSelf: 'flex-start' }}>
          Show all {count}
        </Button>
      )}
    </Stack>
  )
}
