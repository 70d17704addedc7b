import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { RunPlaybookDialog, useMayRun } from './run-dialog.tsx'
import type { RunTarget } from './run-queries.ts'

interface RunPlaybookButtonProps {
  readonly target: RunTarget
  readonly size?: 'sm' | 'compact-sm'
}

/** Opens the dialog that runs a playbook on objects; absent without the permission. */
export function RunPlaybookButton({ target, size = 'compact-sm' }: RunPlaybookButtonProps) {
  const mayRun = useMayRun()
  const [isOpen, setIsOpen] = useState(false)
  if (!mayRun) return null
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
      {isOpen && <RunPlaybookDialog target={target} onClose={() => setIsOpen(false)} />}
    </>
  )
}
