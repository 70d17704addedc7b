import { Button, type ButtonProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../api/session.ts'
import { useMayDetonate } from './use-may-detonate.ts'

// Loaded when it is opened: the button is on the first page.
const Dialog = lazy(async () => ({
  default: (await import('./detonate-entities-dialog.tsx')).DetonateEntitiesDialog,
}))

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
      {isOpen && (
        <Suspense>
          <Dialog title={title} queries={queries} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
