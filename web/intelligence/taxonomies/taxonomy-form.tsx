import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { type Branch, idsOf, moveTargets, type Taxonomy } from './tree.ts'

/** An action on a taxonomy. */
export type TaxonomyAct = 'add' | 'rename' | 'move' | 'delete'

interface TaxonomyFormProps {
  readonly act: TaxonomyAct
  readonly branch: Branch | undefined
  readonly nodes: readonly Taxonomy[]
  readonly onDone: () => void
}

const SUBMIT: Readonly<Record<TaxonomyAct, string>> = {
  add: 'Create',
  rename: 'Rename',
  move: 'Move',
  delete: 'Delete',
}

/** Adds, renames, moves or deletes a taxonomy. */
export function TaxonomyForm({ act, branch, nodes, onDone }: TaxonomyFormProps) {
  const node = branch?.node
  const [name, setName] = useState(act === 'rename' ? (node?.name ?? '') : '')
  const [parent, setParent] = useState<string | null>(null)
  const queries = useQueryClient()
  const invalidate = () => queries.invalidateQueries({ queryKey: ['taxonomies'] })
  const done = useMutation({
    mutationFn: () => carryOut(act, branch, name, parent),
    onSuccess: (undo) => {
      showToast(DONE[act], undo && (() => undo().then(invalidate)))
      onDone()
      return invalidate()
    },
  })
  const faults = sortFaults(done.error, ['name', 'parent'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    done.mutate()
  }
  const count = branch ? idsOf(branch).length : 0
  return (
    <form onSubmit={submit}>
      <Stack>
        <Faults texts={faults.others} />
        {(act === 'add' || act === 'rename') && (
          <TextInput
            label="Name"
            required
            data-autofocus
            value={name}
            error={faults.fields.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        {act === 'move' && branch && (
          <Select
            label="Parent"
            placeholder="None (top level)"
            description="Its children move with it."
            data={[...moveTargets(branch, nodes)]}
            value={parent}
            error={faults.fields.parent}
            onChange={setParent}
            searchable
            clearable
            limit={100}
            data-autofocus
          />
        )}
        {act === 'delete' && (
          <Text>
            {count > 1 ? `This also deletes ${count - 1} taxonomies below it. ` : ''}It is removed from all entities.
            This cannot be undone.
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={done.isPending} {...(act === 'delete' && { color: 'red' })}>
            {SUBMIT[act]}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const DONE: Readonly<Record<TaxonomyAct, string>> = {
  add: 'Taxonomy created',
  rename: 'Taxonomy renamed',
  move: 'Taxonomy moved',
  delete: 'Taxonomy deleted',
}

/** Runs the action and returns how to undo it, if that is possible. */
async function carryOut(
  act: TaxonomyAct,
  branch: Branch | undefined,
  name: string,
  parent: string | null,
): Promise<(() => Promise<unknown>) | undefined> {
  const node = branch?.node
  if (act === 'add' || !node) {
    await call('POST', 'taxonomies', { data: { name, ...(node && { parent: node.id }) } })
    return undefined
  }
  if (act === 'delete') {
    await call('DELETE', 'taxonomies', idsOf(branch))
    return undefined
  }
  const patch = (data: object) => call('PATCH', `taxonomies/${node.id}`, { data })
  const before = act === 'rename' ? { name: node.name } : { parent: node.parent }
  await patch(act === 'rename' ? { name } : { parent: parent === null ? null : Number(parent) })
  return () => patch(before)
}
