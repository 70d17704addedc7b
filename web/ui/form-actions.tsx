import { Button, Group } from '@mantine/core'

interface FormActionsProps {
  /** What the form does, on its button. */
  readonly submit: string
  readonly isSending: boolean
  readonly isReady?: boolean
  readonly onCancel: () => void
}

/** The end of a form in a dialog. */
export const FormActions = ({ submit, isSending, isReady = true, onCancel }: FormActionsProps) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={isSending} disabled={!isReady}>
      {submit}
    </Button>
  </Group>
)
