import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Parameters } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { DetonationList } from './detonation-list.tsx'

interface DetonationsPanelProps {
  /** Finds the detonations: those of equal content count, wherever it was submitted from. */
  readonly filter: Parameters
  /** The button that submits it. */
  readonly action?: ReactNode
}

const MAX_SHOWN = 10

/** The latest detonations of a file or an address. */
export function DetonationsPanel({ filter, action }: DetonationsPanelProps) {
  if (!useMay()('read detonations')) return null
  return (
    <section aria-label="Detonations">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Detonations
        </Title>
        {action}
      </Group>
      <DetonationList parameters={{ ...filter, limit: MAX_SHOWN }} isCut empty="No detonations yet." />
    </section>
  )
}
