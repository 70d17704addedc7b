import { Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly title: string
  /** The button for the next step. */
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Placeholder for an empty list or page: explains what belongs here and offers the next step. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Center py={60} px="md">
      <Stack align="center" gap="xs" maw={480}>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        {children && (
          <Text c="dimmed" ta="center" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}
