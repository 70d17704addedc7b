import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.ts'
import { useMayDetonate } from './detonate-dialog.tsx'
import { DetonateEntitiesDialog } from './detonate-entities-dialog.tsx'

interface DetonateEntitiesProps {
  readonly title: string
  /** Queries that find the entities. */
  readonly queries: readonly string[]
  readonly label?: string
  readonly button?: ButtonProps
}

/** Submits the samples of entities; nothing without the permissions. */
export function DetonateEntities({ title, queries, label = 'Detonate', button }: DetonateEntitiesProps) {
  const may = useMay()
  const mayDetonate = useMayDetonate() && may('read entities') && may('read extracts')
  const [isOpen, setIsOpen] = useState(false)
  if (!mayDetonate) return null
  return (
    <>
      <Button variant="default" {...button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && <DetonateEntitiesDialog title={title} queries={queries} onClose={() => setIsOpen(false)} />}
    </>
  )
}
