import { Modal, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Faults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { useForm } from '../../ui/use-form.ts'
import { counted } from '../analyses/analysis.ts'
import { logSourceName } from '../gaps/gap.ts'
import { type LogSource, writeLogSources } from './log-source.ts'
import { ownedOf, textsOf } from './owned.ts'
import { OwnedFields } from './owned-fields.tsx'

interface LogSourceDialogProps {
  /** At least one. The form starts with what is said about the first. */
  readonly sources: readonly LogSource[]
  readonly onClose: () => void
}

/** Edits what an organisation says about log sources. */
export function LogSourceDialog({ sources, onClose }: LogSourceDialogProps) {
  const [first] = sources
  const [isCollected, setIsCollected] = useState(sources.every(({ is_collected }) => is_collected))
  const form = useForm(
    textsOf(first ?? { owner: null, note: '', review_at: null }),
    (values) => writeLogSources(sources, { is_collected: isCollected, ...ownedOf(values) }),
    onClose,
  )
  return (
    <Modal opened onClose={onClose} title="Edit log source">
      <form onSubmit={form.onSubmit}>
        <Stack gap="sm">
          <Text size="sm" className="code">
            {sources.length === 1 && first ? logSourceName(first) : first?.name}
          </Text>
          {sources.length > 1 && (
            <Text size="sm" c="dimmed">
              Applies to {counted(sources.length, 'channel', 'channels')}.
            </Text>
          )}
          <Faults texts={form.faults.others} />
          <Switch
            label="Collected"
            checked={isCollected}
            onChange={({ currentTarget }) => setIsCollected(currentTarget.checked)}
          />
          <OwnedFields form={form} />
          <FormActions submit="Save log source" isSending={form.isSending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
