import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import type { Dataset } from '../../api/resources.ts'
import { RunProgress } from '../../background/run-progress.tsx'
import { Faults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { choiceField } from '../../ui/form-fields.ts'
import { useForm } from '../../ui/use-form.ts'
import { QueryField } from './query-field.tsx'

export type FillAction = 'add' | 'replace' | 'remove'

/** Starts a task run that adds matching entities to a dataset or removes them; returns the URL of the run. */
export async function fillDataset(id: number, action: FillAction, entities_query: string): Promise<string> {
  const path = `datasets/${id}/entities/by-query`
  return (await call<{ data: { task_run: string } }>('POST', path, { data: { action, entities_query } })).data.task_run
}

/** A query that matches exactly these entities. */
export const queryOfIds = (ids: Iterable<string>): string => `id:(${[...ids].map((id) => `"${id}"`).join(' ')})`

const ACTIONS = [
  { value: 'add', label: 'Add matching entities' },
  { value: 'replace', label: 'Replace all entities with the matching ones' },
  { value: 'remove', label: 'Remove matching entities' },
]

interface FillDatasetProps {
  readonly dataset: Dataset
  readonly onClose: () => void
}

/** Fills a static dataset with the current results of a query. */
export function FillDataset({ dataset, onClose }: FillDatasetProps) {
  const [run, setRun] = useState('')
  const form = useForm(
    { entities_query: '', action: 'add' },
    ({ entities_query, action }) => fillDataset(dataset.id, action as FillAction, entities_query),
    setRun,
  )
  if (run !== '')
    return (
      <Stack>
        <RunProgress run={run} onEnded={renewEntities} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    )
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          This applies the current results of the query. To keep following a query, create a dynamic dataset instead.
        </Text>
        <Faults texts={form.faults.others} />
        <QueryField label="Query" required {...choiceField(form, 'entities_query')} />
        <Select label="Action" data={ACTIONS} allowDeselect={false} {...choiceField(form, 'action')} />
        <FormActions
          submit="Update dataset"
          isSending={form.isSending}
          isReady={form.values.entities_query.trim() !== ''}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

/** Refetches everything that shows the entities of the dataset. */
export const renewEntities = () => void invalidate('datasets', 'entities')
