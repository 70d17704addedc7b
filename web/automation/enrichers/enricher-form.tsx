import { Alert, MultiSelect, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import type { Enricher } from '../../api/resources.ts'
import { observableTypeName } from '../../domain/observables.ts'
import { TransportFields } from '../../feeds/transport-fields.tsx'
import { fieldsIn } from '../../feeds/transport-form.ts'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { InlineCode } from '../../ui/inline-code.tsx'
import { bodyOf, type EnricherFormValues, faultNames, formOf, newEnricher } from './enricher-form-values.ts'
import { type EnricherFunction, enrichersQuery } from './enricher-queries.ts'
import { LimitFields } from './limit-fields.tsx'
import { ResultFields } from './result-fields.tsx'

interface EnricherFormProps {
  /** The function of the enricher; undefined if it is not installed. */
  readonly own: EnricherFunction | undefined
  /** The enricher to edit; absent for a new one. */
  readonly enricher?: Enricher
  /** The label of the button that leaves the form. */
  readonly cancel?: string
  readonly onCancel: () => void
  readonly onSaved: (enricher: Enricher) => void
}

/** Creates or changes an enricher; its parameters depend on the function. */
export function EnricherForm({ own, enricher, cancel, onCancel, onSaved }: EnricherFormProps) {
  const { data: others } = useQuery(enrichersQuery)
  const [values, setValues] = useState<EnricherFormValues>(() =>
    enricher || !own ? formOf(enricher as Enricher, own) : newEnricher(own, others?.data.map(({ name }) => name) ?? []),
  )
  const set = (change: Partial<EnricherFormValues>) => setValues((before) => ({ ...before, ...change }))
  const saved = useMutation({
    mutationFn: async () => {
      const path = enricher ? `enrichers/${enricher.id}` : 'enrichers'
      const data = bodyOf(values, own, enricher)
      return (await call<{ data: Enricher }>(enricher ? 'PATCH' : 'POST', path, { data })).data
    },
    onSuccess: onSaved,
  })
  const { fields: faults, others: rest } = sortFaults(saved.error, faultNames(own))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saved.mutate()
  }
  const types = own?.supported_types ?? values.types
  // The server validates more strictly than browsers do, and its errors are shown at the field.
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Faults texts={rest} />
        {own?.set_up && (
          <Alert variant="light" title="Before you start">
            <InlineCode text={own.set_up} />
          </Alert>
        )}
        <TextInput
          label="Name"
          description="Letters, digits and underscores. Findings are stored in a source with this name."
          required
          data-autofocus
          value={values.name}
          error={faults.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        {own && fieldsIn(own.parameters).length > 0 && (
          <TransportFields
            transport={{ fields: fieldsIn(own.parameters) }}
            property="parameters"
            texts={values.texts}
            faults={faults}
            onChange={(name, text) => setValues((before) => ({ ...before, texts: { ...before.texts, [name]: text } }))}
          />
        )}
        <MultiSelect
          label="Observable types"
          description="Only observables of these types are looked up."
          required
          searchable
          clearable
          hidePickedOptions
          data={types.map((type) => ({ value: type, label: observableTypeName(type) }))}
          value={[...values.types]}
          error={faults.supported_observable_types}
          onChange={(chosen) => set({ types: chosen })}
          clearButtonProps={{ 'aria-label': 'Clear observable types' }}
        />
        <LimitFields values={values} set={set} faults={faults} />
        <ResultFields values={values} set={set} faults={faults} />
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
            <Text size="xs" c="red" mt={4}>
              {faults.is_active}
            </Text>
          )}
        </div>
        <FormActions
          submit={enricher ? 'Save changes' : 'Create enricher'}
          {...(cancel && { cancel })}
          isSending={saved.isPending}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}
