import { MultiSelect, NumberInput, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { observableTypeName } from '../../domain/observables.ts'
import { TLP_OPTIONS } from '../../domain/tlp.ts'
import { TransportFields } from '../../feeds/transport-fields.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { bodyOf, type DetonatorFormValues, faultNames, formOf, inputsOf } from './detonator-form-values.ts'
import type { Detonator } from './detonator-queries.ts'

interface DetonatorFormProps {
  readonly detonator: Detonator
  readonly onCancel: () => void
  readonly onSaved: () => void
}

/** Changes a detonator; its parameters are drawn from the form of its adapter. */
export function DetonatorForm({ detonator, onCancel, onSaved }: DetonatorFormProps) {
  const [values, setValues] = useState<DetonatorFormValues>(() => formOf(detonator))
  const set = (change: Partial<DetonatorFormValues>) => setValues((before) => ({ ...before, ...change }))
  const saved = useMutation({
    mutationFn: () => call('PATCH', `detonators/${detonator.id}`, { data: bodyOf(values, detonator) }),
    onSuccess: onSaved,
  })
  const { fields: faults, others } = sortFaults(saved.error, faultNames(detonator))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saved.mutate()
  }
  const fields = inputsOf(detonator.ui_form_schema, 'parameters')
  // The server validates more strictly than browsers do, and its errors are shown at the field.
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Faults texts={others} />
        <TextInput
          label="Name"
          description="What people call it, such as Sandbox of the laboratory."
          required
          data-autofocus
          value={values.taskName}
          error={faults.task_name}
          onChange={({ currentTarget }) => set({ taskName: currentTarget.value })}
        />
        {fields.length > 0 && (
          <TransportFields
            transport={{ fields }}
            property="parameters"
            texts={values.texts}
            faults={faults}
            onChange={(name, text) => setValues((before) => ({ ...before, texts: { ...before.texts, [name]: text } }))}
          />
        )}
        <MultiSelect
          label="Extracted observables"
          description="The observable types that are taken from reports."
          searchable
          clearable
          hidePickedOptions
          data={(detonator.supported_extract_types ?? values.types).map((type) => ({
            value: type,
            label: observableTypeName(type),
          }))}
          value={[...values.types]}
          error={faults.selected_extract_types}
          onChange={(types) => set({ types })}
          clearButtonProps={{ 'aria-label': 'Clear extracted observables' }}
        />
        <ProtectionFields values={values} set={set} faults={faults} />
        <Textarea
          label="Description"
          autosize
          minRows={1}
          value={values.description}
          error={faults.description}
          onChange={({ currentTarget }) => set({ description: currentTarget.value })}
        />
        <div>
          <Switch
            label="Active"
            checked={values.isActive}
            onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
          />
          {faults.is_active && (
            <Text size="xs" c="var(--mantine-color-error)" mt={4}>
              {faults.is_active}
            </Text>
          )}
        </div>
        <FormActions submit="Save changes" isSending={saved.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  )
}

const RELIABILITIES = ['A', 'B', 'C', 'D', 'E', 'F']

interface ProtectionFieldsProps {
  readonly values: DetonatorFormValues
  readonly set: (change: Partial<DetonatorFormValues>) => void
  readonly faults: Readonly<Record<string, string>>
}

/** What may be submitted, and how results are stored. */
const ProtectionFields = ({ values, set, faults }: ProtectionFieldsProps) => (
  <>
    <Text size="sm" fw={600}>
      Limits, disclosure and results
    </Text>
    <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} style={{ alignItems: 'end' }}>
      <NumberInput
        label="Submissions per day"
        description="In UTC, without known samples."
        placeholder="No limit"
        min={0}
        allowDecimal={false}
        thousandSeparator=","
        value={values.limit}
        error={faults.detonation_per_day_limit}
        onChange={(value) => set({ limit: String(value) })}
      />
      <Select
        label="Maximum TLP"
        description="Samples above it are not submitted."
        placeholder="No maximum"
        data={TLP_OPTIONS}
        clearable
        value={values.maxTlp || null}
        error={faults.max_tlp}
        onChange={(value) => set({ maxTlp: value ?? '' })}
      />
      <NumberInput
        label="Reuse results for (hours)"
        description="Failures are never reused."
        min={0}
        decimalScale={2}
        value={values.cacheHours}
        error={faults.cache_validity}
        onChange={(value) => set({ cacheHours: String(value) })}
      />
      <Select
        label="TLP of results"
        description="At least that of the sample."
        placeholder="As the sample"
        data={TLP_OPTIONS}
        clearable
        value={values.tlp || null}
        error={faults.tlp_color}
        onChange={(value) => set({ tlp: value ?? '' })}
      />
      <Select
        label="Reliability"
        description="Of the sandbox as a source."
        placeholder="Not rated"
        data={RELIABILITIES}
        clearable
        value={values.reliability || null}
        error={faults.source_reliability}
        onChange={(value) => set({ reliability: value ?? '' })}
      />
    </SimpleGrid>
  </>
)
