import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { DetonateDialog } from './detonate-dialog.tsx'
import type { Sample } from './sample.ts'
import { useMayDetonate } from './use-may-detonate.ts'

interface DetonateButtonProps {
  readonly sample: Sample
  readonly button?: ButtonProps & { readonly 'aria-label'?: string }
}

/** Submits an object of the platform to sandboxes; nothing without the permission. */
export function DetonateButton({ sample, button }: DetonateButtonProps) {
  const mayDetonate = useMayDetonate()
  const [isOpen, setIsOpen] = useState(false)
  if (!mayDetonate) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="detonations" size={14} />}
        {...button}
        onClick={() => setIsOpen(true)}
      >
        Detonate
      </Button>
      {isOpen && <DetonateDialog sample={sample} onClose={() => setIsOpen(false)} />}
    </>
  )
}
