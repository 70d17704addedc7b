import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface CardProps {
  readonly title: string
  /** Shown after the title, such as a badge. */
  readonly after?: ReactNode
  readonly description?: ReactNode
  /** Buttons, right-aligned. */
  readonly actions?: ReactNode
  /** Whether it fills its cell in a grid, so that content can be placed at its end. */
  readonly isTall?: boolean
  readonly children?: ReactNode
}

/** A titled section of a page, drawn as a card. */
export function Card({ title, after, description, actions, isTall = false, children }: CardProps) {
  const id = useId()
  return (
    <Paper withBorder p="lg" radius="md" component="section" aria-labelledby={id}>
      <Stack gap="sm" {...(isTall && { h: '100%' })}>
        <Group justify="space-between" align="flex-start">
          {/* On phones, the buttons wrap below the title. */}
          <div style={{ flex: '1 1 13rem', minWidth: 0 }}>
            <Group gap="xs">
              <Title order={2} size="h3" id={id}>
                {title}
              </Title>
              {after}
            </Group>
            {description && (
              <Text c="dimmed" size="sm" mt={2} component="div">
                {description}
              </Text>
            )}
          </div>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
