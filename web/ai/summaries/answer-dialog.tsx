import { Modal, type ModalProps } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import type { KeyboardEvent } from 'react'

type AnswerDialogProps = Omit<ModalProps, 'opened' | 'closeOnEscape' | 'closeOnClickOutside' | 'onKeyDown'>

/**
 * A dialog with an answer of a model, which a click next to it does not throw away. Escape in what opens above it, such as what was sent,
 * does not close it as well.
 */
export function AnswerDialog({ onClose, ...props }: AnswerDialogProps) {
  const closeOnEscape = ({ key, currentTarget, target }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'Escape' || !(target instanceof Element) || !currentTarget.contains(target)) return
    // Open lists of options close on their own.
    if (target.getAttribute('data-mantine-stop-propagation') !== 'true') onClose()
  }
  // A button that is disabled or removed while the model answers leaves the focus to the page.
  useWindowEvent('keydown', ({ key, target }) => {
    const isAlone = document.querySelectorAll('[aria-modal=true]').length === 1
    if (key === 'Escape' && target === document.body && isAlone) onClose()
  })
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
