import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
  /** The number of columns, for containers that are narrower than the page; at most two on phones. */
  readonly columns?: number
}

/** A definition list laid out in columns. */
export function Facts({ facts, columns }: FactsProps) {
  return (
    <SimpleGrid
      component="dl"
      cols={columns === undefined ? { base: 2, sm: 3, lg: 6 } : { base: Math.min(columns, 2), sm: columns }}
      spacing="md"
      verticalSpacing="sm"
      m={0}
    >
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}
