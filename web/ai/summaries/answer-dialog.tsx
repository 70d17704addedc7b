import { Modal, type ModalProps } from '@mantine/core'
import type { KeyboardEvent } from 'react'

/** A dialog with an answer of a model, which a click next to it does not throw away. Escape in what opens above it, such as what was sent, does not close it as well. */
export function AnswerDialog({
  onClose,
  ...props
}: Omit<ModalProps, 'opened' | 'closeOnEscape' | 'closeOnClickOutside' | 'onKeyDown'>) {
  const closeOnEscape = ({ key, currentTarget, target }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'Escape' || !(target instanceof Element) || !currentTarget.contains(target)) return
    // Open lists of options close on their own.
    if (target.getAttribute('data-mantine-stop-propagation') !== 'true') onClose()
  }
  return (
    <Modal
      {...props}
      opened
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onKeyDown={closeOnEscape}
    />
  )
}
