import { Input, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { idOf } from '../../api/lists.ts'
import type { Dataset } from '../../api/resources.ts'
import { Faults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { choiceField, idsField, idsIn } from '../../ui/form-fields.ts'
import { NamesSelect } from '../../ui/name-select.tsx'
import { useForm } from '../../ui/use-form.ts'
import { KINDS, type Kind, kindOf } from './dataset-kind.tsx'
import { QueryField } from './query-field.tsx'
import { RelationalBuilder } from './relational-builder.tsx'
import { fromQuery, NEW_RELATIONS, toQuery } from './relations.ts'

interface DatasetFormProps {
  /** The dataset to edit; absent for a new one. */
  readonly dataset?: Dataset
  /** The workspace of a new dataset. */
  readonly workspace?: string
  readonly onDone: (dataset: Dataset) => void
  readonly onCancel: () => void
}

/** The workspace that every installation has; a dataset needs at least one. */
const DEFAULT_WORKSPACE = '1'

/** Creates or edits a dataset: static, dynamic or relational. */
export function DatasetForm({ dataset, workspace, onDone, onCancel }: DatasetFormProps) {
  const [kind, setKind] = useState<Kind>(dataset ? kindOf(dataset) : 'static')
  const [relations, setRelations] = useState(() => fromQuery(dataset?.relational_query) ?? NEW_RELATIONS)
  const form = useForm(
    {
      name: dataset?.name ?? '',
      description: dataset?.description ?? '',
      workspaces: dataset ? dataset.workspaces.map(idOf).join(',') : workspace || DEFAULT_WORKSPACE,
      search_query: dataset?.search_query ?? '',
      // Sent separately; listed here so that its validation errors are assigned to it.
      relational_query: '',
    },
    async ({ name, description, workspaces, search_query }) => {
      const data = {
        name,
        description: description || null,
        workspaces: idsIn(workspaces).map(Number),
        ...(kind !== 'static' && { search_query: search_query.trim() === '' ? null : search_query }),
        ...(kind === 'relational' && { relational_query: toQuery(relations) }),
      }
      const path = dataset ? `datasets/${dataset.id}` : 'datasets'
      return (await call<{ data: Dataset }>(dataset ? 'PATCH' : 'POST', path, { data })).data
    },
    (made) => {
      void invalidate('datasets', 'workspaces', 'entities')
      onDone(made)
    },
  )
  const query = choiceField(form, 'search_query')
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <Faults texts={form.faults.others} />
        <TextInput label="Name" required data-autofocus {...form.field('name')} />
        <Textarea label="Description" autosize minRows={2} maxRows={8} {...form.field('description')} />
        <NamesSelect
          of="workspaces"
          label="Workspaces"
          description="Users who can see one of these workspaces can see the dataset."
          required
          {...idsField(form, 'workspaces')}
        />
        {!dataset && (
          <Input.Wrapper label="Type" description={KINDS[kind].description}>
            <SegmentedControl
              mt={6}
              fullWidth
              aria-label="Type"
              value={kind}
              onChange={(value) => setKind(value as Kind)}
              data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
            />
          </Input.Wrapper>
        )}
        {kind === 'dynamic' && (
          <QueryField
            label="Query"
            description="A search query, such as type:malware AND tags:apt."
            required
            {...query}
          />
        )}
        {kind === 'relational' && (
          <RelationalBuilder value={relations} onChange={setRelations} error={form.faults.fields.relational_query} />
        )}
        <FormActions
          submit={dataset ? 'Save changes' : 'Create dataset'}
          isSending={form.isSending}
          isReady={kind !== 'dynamic' || query.value.trim() !== ''}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}
