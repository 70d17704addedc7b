import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../api/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { RunTarget } from './run-queries.ts'

// Loaded when it is opened: the button is on the first page.
const Dialog = lazy(async () => ({ default: (await import('./run-dialog.tsx')).RunPlaybookDialog }))

interface RunPlaybookButtonProps {
  readonly target: RunTarget
  readonly size?: 'sm' | 'compact-sm'
}

/** Opens the dialog that runs a playbook on objects; absent without the permission. */
export function RunPlaybookButton({ target, size = 'compact-sm' }: RunPlaybookButtonProps) {
  const may = useMay()
  const [isOpen, setIsOpen] = useState(false)
  if (!may('read playbooks') || !may('modify playbooks')) return null
  return (
    <>
      <Button
        size={size}
        variant="default"
        {...(size === 'sm' && { leftSection: <Icon name="playbooks" size={14} /> })}
        onClick={() => setIsOpen(true)}
      >
        Run playbook
      </Button>
      {isOpen && (
        <Suspense>
          <Dialog target={target} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
