import { Button, Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import type { SavedQuery } from '../api/resources.ts'
import { Faults } from '../ui/faults.tsx'
import { showToast } from '../ui/toasts.tsx'
import { useForm } from '../ui/use-form.ts'
import { type SearchState, settingsOf } from './search-state.ts'

interface SaveQueryFormProps {
  readonly state: SearchState
  /** The user's saved queries: one with the same name is replaced. */
  readonly own: readonly SavedQuery[]
  readonly onDone: () => void
}

/** Saves a search under a name. */
export function SaveQueryForm({ state, own, onDone }: SaveQueryFormProps) {
  const queries = useQueryClient()
  const [isShared, setIsShared] = useState(false)
  const form = useForm(
    { name: '', description: '' },
    ({ name, description }) => {
      const data = {
        name: name.trim(),
        query: state.query,
        collection: state.searched,
        settings: settingsOf(state),
        is_shared: isShared,
        description,
      }
      const known = sameName(own, name)
      return known ? call('PATCH', `saved-queries/${known.id}`, { data }) : call('POST', 'saved-queries', { data })
    },
    (_, { name }) => {
      showToast(`Search saved as “${name.trim()}”`)
      onDone()
      return queries.invalidateQueries({ queryKey: ['saved-queries'] })
    },
  )
  const isKnown = sameName(own, form.values.name) !== undefined
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Faults texts={form.faults.others} />
        <TextInput label="Name" required maxLength={500} data-autofocus {...form.field('name')} />
        <Textarea label="Description" autosize minRows={2} {...form.field('description')} />
        <Checkbox
          label="Share with all users who can search"
          checked={isShared}
          onChange={({ currentTarget }) => setIsShared(currentTarget.checked)}
        />
        <Button type="submit" loading={form.isSending}>
          {isKnown ? 'Replace saved search' : 'Save search'}
        </Button>
      </Stack>
    </form>
  )
}

const sameName = (own: readonly SavedQuery[], name: string): SavedQuery | undefined =>
  own.find((each) => each.name === name.trim())
