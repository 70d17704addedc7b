import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ErrorFaults } from './faults.tsx'

interface ConfirmButtonProps {
  readonly label: string
  /** The question; it names the object concerned. */
  readonly title: string
  /** The consequences, and whether they can be undone. */
  readonly children: ReactNode
  readonly confirm: string
  /** Red unless given, for actions that destroy nothing. */
  readonly confirmColor?: string
  readonly onConfirm: () => Promise<unknown>
  readonly button?: ButtonProps & { readonly 'aria-label'?: string }
}

/** A button for an action that cannot be undone: it asks for confirmation and shows errors in the same dialog. */
export function ConfirmButton({
  label,
  title,
  children,
  confirm,
  confirmColor = 'red',
  onConfirm,
  button,
}: ConfirmButtonProps) {
  const [isAsked, setIsAsked] = useState(false)
  const done = useMutation({ mutationFn: onConfirm, onSuccess: () => setIsAsked(false) })
  return (
    <>
      <Button variant="light" color="red" {...button} onClick={() => setIsAsked(true)}>
        {label}
      </Button>
      <Modal opened={isAsked} onClose={() => setIsAsked(false)} title={title}>
        <Stack>
          <div>{children}</div>
          <ErrorFaults error={done.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsAsked(false)}>
              Cancel
            </Button>
            <Button color={confirmColor} loading={done.isPending} onClick={() => done.mutate()}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
