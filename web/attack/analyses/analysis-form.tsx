import { Input, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { idOf } from '../../api/lists.ts'
import { Faults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { choiceField, idsIn } from '../../ui/form-fields.ts'
import { NameSelect } from '../../ui/name-select.tsx'
import { useForm } from '../../ui/use-form.ts'
import { DEFAULT_MATRIX, MATRICES } from '../matrices.ts'
import { ANALYSES, type Analysis } from './analysis.ts'
import { EntitiesField } from './entities-field.tsx'
import { SCOPES, type ScopeKind, scopeKindOf } from './scope-kind.ts'

interface AnalysisFormProps {
  /** The analysis to edit; absent for a new one. */
  readonly analysis?: Analysis
  readonly onDone: (analysis: Analysis) => void
  readonly onCancel: () => void
}

/** Creates or edits an analysis. */
export function AnalysisForm({ analysis, onDone, onCancel }: AnalysisFormProps) {
  const [kind, setKind] = useState<ScopeKind>(analysis ? scopeKindOf(analysis) : 'all')
  const form = useForm(
    {
      name: analysis?.name ?? '',
      description: analysis?.description ?? '',
      attack_matrix: analysis ? analysis.attack_matrix : DEFAULT_MATRIX,
      scope_entities: (analysis?.scope_entities ?? []).map(idOf).join(','),
      scope_datasets: (analysis?.scope_datasets ?? []).map(idOf).join(','),
    },
    async ({ scope_entities, scope_datasets, ...rest }) => {
      const data = {
        ...rest,
        scope_entities: kind === 'entities' ? idsIn(scope_entities) : [],
        scope_datasets: kind === 'dataset' ? idsIn(scope_datasets).map(Number) : [],
      }
      const path = analysis ? `${ANALYSES}/${analysis.id}` : ANALYSES
      return (await call<{ data: Analysis }>(analysis ? 'PATCH' : 'POST', path, { data })).data
    },
    (stored) => {
      void invalidate(ANALYSES)
      onDone(stored)
    },
  )
  const entities = form.field('scope_entities')
  const datasets = form.field('scope_datasets')
  const setText = (field: typeof entities) => (value: string) => field.onChange({ currentTarget: { value } })
  const isReady =
    kind === 'all' || (kind === 'entities' ? form.values.scope_entities : form.values.scope_datasets) !== ''
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <Faults texts={form.faults.others} />
        <TextInput label="Name" required data-autofocus {...form.field('name')} />
        <Textarea label="Description" autosize minRows={2} maxRows={8} {...form.field('description')} />
        <Select
          label="Matrix"
          required
          data={[...MATRICES]}
          allowDeselect={false}
          {...choiceField(form, 'attack_matrix')}
        />
        <Input.Wrapper label="Scope" description={SCOPES[kind].description}>
          <SegmentedControl
            mt={6}
            fullWidth
            aria-label="Scope"
            value={kind}
            onChange={(value) => setKind(value as ScopeKind)}
            data={Object.entries(SCOPES).map(([value, { label }]) => ({ value, label }))}
          />
        </Input.Wrapper>
        {kind === 'entities' && (
          <EntitiesField
            ids={idsIn(entities.value)}
            onChange={(ids) => setText(entities)(ids.join(','))}
            error={entities.error}
          />
        )}
        {kind === 'dataset' && (
          <NameSelect
            of="datasets"
            label="Dataset"
            required
            value={datasets.value}
            onChange={setText(datasets)}
            error={datasets.error}
          />
        )}
        <FormActions
          submit={analysis ? 'Save changes' : 'Create analysis'}
          isSending={form.isSending}
          isReady={isReady}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}
