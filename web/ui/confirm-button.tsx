import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ErrorFaults } from './faults.tsx'
import { showErrorToast } from './toasts.tsx'

interface ConfirmButtonProps {
  readonly label: string
  /** The question; it names the object concerned. */
  readonly title: string
  /** The consequences, and whether they can be undone. */
  readonly children: ReactNode
  readonly confirm: string
  /** Red unless given, for actions that destroy nothing. */
  readonly confirmColor?: string
  /** Shown while the action runs, if it takes long. */
  readonly progress?: ReactNode
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
  progress,
  onConfirm,
  button,
}: ConfirmButtonProps) {
  const [isAsked, setIsAsked] = useState(false)
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = isAsked
    return () => {
      isShown.current = false
    }
  }, [isAsked])
  const done = useMutation({
    mutationFn: onConfirm,
    onSuccess: () => setIsAsked(false),
    // The action goes on when the dialog is closed or the page is left, and may fail then.
    onError: (error) => {
      if (!isShown.current) showErrorToast(error)
    },
  })
  const ask = () => {
    if (!done.isPending) done.reset()
    setIsAsked(true)
  }
  return (
    <>
      <Button variant="light" color="red" {...button} onClick={ask}>
        {label}
      </Button>
      <Modal opened={isAsked} onClose={() => setIsAsked(false)} title={title}>
        <Stack>
          <div>{children}</div>
          <ErrorFaults error={done.error} />
          {done.isPending && progress && (
            <Text size="sm" c="dimmed" role="status">
              {progress}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsAsked(false)}>
              {done.isPending ? 'Close' : 'Cancel'}
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
