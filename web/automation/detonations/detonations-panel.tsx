import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMay } from '../../api/session.ts'
import { DetonationList } from './detonation-list.tsx'

interface DetonationsPanelProps {
  /** What the object is to its detonations. */
  readonly of: 'file' | 'attachment' | 'observable'
  readonly id: number | string
  /** The button that submits it. */
  readonly action?: ReactNode
}

const MAX_SHOWN = 10

/** The latest detonations of an object. */
export function DetonationsPanel({ of, id, action }: DetonationsPanelProps) {
  if (!useMay()('read detonations')) return null
  return (
    <section aria-label="Detonations">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Detonations
        </Title>
        {action}
      </Group>
      <DetonationList
        parameters={{ [`filter[${of}]`]: id, limit: MAX_SHOWN }}
        isCut
        empty="You have not submitted it to a sandbox yet."
      />
    </section>
  )
}
