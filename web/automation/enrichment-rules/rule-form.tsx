import { Modal, NumberInput, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import type { EnrichmentRule } from '../../api/resources.ts'
import { ScheduleFields } from '../../forms/schedule-fields.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { CriteriaFields } from './criteria-fields.tsx'
import { OrderedEnrichers } from './ordered-enrichers.tsx'
import { bodyOf, FAULT_NAMES, formOf, NEW_RULE, type RuleFormValues } from './rule-form-values.ts'
import { RulePreview } from './rule-preview.tsx'

const STOPS = [
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium or higher' },
  { value: 'low', label: 'Low or higher' },
  { value: 'safe', label: 'Any verdict' },
]

interface RuleFormProps {
  /** The rule to edit; absent for a new one. */
  readonly rule?: EnrichmentRule
  readonly onClose: () => void
  readonly onSaved: (rule: EnrichmentRule) => void
}

/** The props of the sections of the form. */
export interface RuleFieldsProps {
  readonly values: RuleFormValues
  readonly set: (change: Partial<RuleFormValues>) => void
  readonly faults: Readonly<Record<string, string>>
}

/** Creates or changes an enrichment rule, with a preview of what it would look up. */
export function RuleForm({ rule, onClose, onSaved }: RuleFormProps) {
  const [values, setValues] = useState(() => (rule ? formOf(rule) : NEW_RULE))
  const set = (change: Partial<RuleFormValues>) => setValues((before) => ({ ...before, ...change }))
  const saved = useMutation({
    mutationFn: async () => {
      const path = rule ? `enrichment-rules/${rule.id}` : 'enrichment-rules'
      return (await call<{ data: EnrichmentRule }>(rule ? 'PATCH' : 'POST', path, { data: bodyOf(values) })).data
    },
    onSuccess: onSaved,
  })
  const { fields: faults, others } = sortFaults(saved.error, FAULT_NAMES)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saved.mutate()
  }
  return (
    <Modal opened onClose={onClose} size="60rem" title={rule ? `Settings of ${rule.name}` : 'New enrichment rule'}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Faults texts={others} />
          <TextInput
            label="Name"
            required
            data-autofocus
            value={values.name}
            error={faults.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <CriteriaFields values={values} set={set} faults={faults} />
          <OrderedEnrichers values={values} set={set} faults={faults} />
          <Select
            label="Stop at verdict"
            description="Asks the enrichers one after the other, and stops at the first verdict this strong. Saves calls."
            placeholder="Ask all enrichers"
            data={STOPS}
            clearable
            value={values.stopAt || null}
            error={faults.stop_at}
            onChange={(value) => set({ stopAt: value ?? '' })}
          />
          <Retroactive values={values} set={set} faults={faults} />
          <Textarea
            label="Description"
            autosize
            minRows={1}
            value={values.description}
            error={faults.description}
            onChange={({ currentTarget }) => set({ description: currentTarget.value })}
          />
          <Switch
            label="Active"
            checked={values.isActive}
            onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
          />
          <RulePreview values={values} />
          <FormActions submit={rule ? 'Save changes' : 'Create rule'} isSending={saved.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

const TIME_FIELDS = [
  { value: 'ingestion', label: 'Time of ingestion' },
  { value: 'start', label: 'Start of the threat' },
  { value: 'observed', label: 'Time of observation' },
]

/** Whether existing data is looked up, which of it, and when. */
function Retroactive({ values, set, faults }: RuleFieldsProps) {
  return (
    <>
      <Switch
        label="Also look up existing data"
        description="With “Run now”, or on a schedule. Valid results are reused."
        checked={values.isRetroactive}
        onChange={({ currentTarget }) => set({ isRetroactive: currentTarget.checked })}
      />
      {faults.is_retroactive && (
        <Text size="xs" c="red">
          {faults.is_retroactive}
        </Text>
      )}
      {values.isRetroactive && <ScheduleFields values={values} set={set} error={faults.execution_schedule} />}
      {values.isRetroactive && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Time field"
            data={TIME_FIELDS}
            clearable
            placeholder="None"
            value={values.timeField || null}
            error={faults.time_field}
            onChange={(value) => set(value === null ? { timeField: '', timePeriod: '' } : { timeField: value })}
          />
          <NumberInput
            label="Period (days)"
            placeholder="Everything"
            min={1}
            allowDecimal={false}
            disabled={values.timeField === ''}
            value={values.timePeriod}
            error={faults.time_period}
            onChange={(value) => set({ timePeriod: String(value) })}
          />
        </SimpleGrid>
      )}
    </>
  )
}
