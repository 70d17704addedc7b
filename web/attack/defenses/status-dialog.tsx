import { Input, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { Faults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { useForm } from '../../ui/use-form.ts'
import { ownedOf, textsOf } from './owned.ts'
import { OwnedFields } from './owned-fields.tsx'
import {
  coverageOf,
  SCORES,
  STATUS_NAMES,
  type Status,
  type StatusValues,
  scoreAfter,
  statusAfter,
  writeStatus,
} from './status.ts'

interface StatusDialogProps {
  readonly defense: { readonly id: number; readonly name: string; readonly external_id: string | null }
  readonly status: StatusValues
  readonly onClose: () => void
}

/** Edits what an organisation says about a defense. */
export function StatusDialog({ defense, status, onClose }: StatusDialogProps) {
  const form = useForm(
    { status: status.status as string, score: String(status.score), ...textsOf(status) },
    (values) =>
      writeStatus(defense.id, { status: values.status as Status, score: Number(values.score), ...ownedOf(values) }),
    onClose,
  )
  const set = (name: 'status' | 'score', value: string) => form.field(name).onChange({ currentTarget: { value } })
  return (
    <Modal opened onClose={onClose} title={defense.external_id ?? defense.name}>
      <form onSubmit={form.onSubmit}>
        <Stack gap="sm">
          {defense.external_id && <Text size="sm">{defense.name}</Text>}
          <Faults texts={form.faults.others} />
          <Input.Wrapper label="Status" error={form.faults.fields.status} labelElement="div">
            <SegmentedControl
              fullWidth
              aria-label="Status"
              data={STATUS_NAMES.map(({ value, label }) => ({ value, label }))}
              value={form.values.status}
              onChange={(next) => {
                set('status', next)
                set('score', String(scoreAfter(next as Status, Number(form.values.score))))
              }}
            />
          </Input.Wrapper>
          <Input.Wrapper
            label="Score"
            description={`How well it works, from 0 to 4. This score counts as ${coverageOf(Number(form.values.score))} coverage.`}
            error={form.faults.fields.score}
            labelElement="div"
          >
            <SegmentedControl
              mt={6}
              fullWidth
              aria-label="Score"
              data={SCORES.map(String)}
              value={form.values.score}
              onChange={(next) => {
                set('score', next)
                set('status', statusAfter(Number(next), form.values.status as Status))
              }}
            />
          </Input.Wrapper>
          <OwnedFields form={form} />
          <FormActions submit="Save status" isSending={form.isSending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
