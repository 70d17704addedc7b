import { Button, Group } from '@mantine/core'

interface FormActionsProps {
  /** The label of the submit button. */
  readonly submit: string
  /** The label of the button that leaves the form. */
  readonly cancel?: string
  readonly isSending: boolean
  readonly isReady?: boolean
  readonly onCancel: () => void
}

/** The buttons at the end of a form in a dialog. */
export const FormActions = ({ submit, cancel = 'Cancel', isSending, isReady = true, onCancel }: FormActionsProps) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={onCancel}>
      {cancel}
    </Button>
    <Button type="submit" loading={isSending} disabled={!isReady}>
      {submit}
    </Button>
  </Group>
)
