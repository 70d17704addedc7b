import { Button, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { idOf } from '../api/lists.ts'
import type { Graph } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { Faults } from '../ui/faults.tsx'
import { NameSelect } from '../ui/name-select.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'
import { useForm } from '../ui/use-form.ts'
import { contentOf } from './saved-graph.ts'
import type { GraphState } from './use-graph.ts'

/** Saves the graph to a workspace, under a new name or over the opened one. */
export function SaveGraph({ graph }: { readonly graph: GraphState }) {
  const may = useMay()
  const queries = useQueryClient()
  const [isNaming, setIsNaming] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  if (!may('modify graphs') || !may('read workspaces')) return null
  const { saved } = graph
  const saveAgain = async (before: Graph) => {
    setIsSaving(true)
    const write = (content: Graph['content']) =>
      call<{ data: Graph }>('PATCH', `graphs/${before.id}`, { data: { content } })
    await write(contentOf(graph.now())).then(({ data }) => {
      graph.markSaved(data)
      showToast('Graph saved', async () => graph.markSaved((await write(before.content)).data))
      return queries.invalidateQueries({ queryKey: ['graphs'] })
    }, showErrorToast)
    setIsSaving(false)
  }
  return (
    <>
      {saved && (
        <Button variant="default" loading={isSaving} disabled={!graph.isDirty} onClick={() => void saveAgain(saved)}>
          Save graph
        </Button>
      )}
      <Button variant={saved ? 'default' : 'filled'} onClick={() => setIsNaming(true)}>
        {saved ? 'Save as…' : 'Save graph'}
      </Button>
      <Modal opened={isNaming} onClose={() => setIsNaming(false)} title="Save graph">
        <SaveForm graph={graph} onDone={() => setIsNaming(false)} />
      </Modal>
    </>
  )
}

function SaveForm({ graph, onDone }: { readonly graph: GraphState; readonly onDone: () => void }) {
  const queries = useQueryClient()
  const form = useForm(
    {
      name: '',
      description: graph.saved?.description ?? '',
      workspace: graph.saved ? idOf(graph.saved.workspace) : '1',
    },
    ({ name, description, workspace }) =>
      call<{ data: Graph }>('POST', 'graphs', {
        data: { name, description, workspace: Number(workspace), content: contentOf(graph.now()) },
      }),
    ({ data }) => {
      graph.markSaved(data)
      showToast(`Graph “${data.name}” saved`)
      void queries.invalidateQueries({ queryKey: ['graphs'] })
      onDone()
    },
  )
  const workspace = form.field('workspace')
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Faults texts={form.faults.others} />
        <TextInput label="Name" required data-autofocus {...form.field('name')} />
        <Textarea label="Description" autosize minRows={2} {...form.field('description')} />
        <NameSelect
          of="workspaces"
          label="Workspace"
          required
          value={workspace.value}
          error={workspace.error}
          onChange={(id) => workspace.onChange({ currentTarget: { value: id } })}
        />
        <Text size="xs" c="dimmed">
          Users with access to the workspace can open the graph. They see only objects that they have access to.
        </Text>
        <Button type="submit" loading={form.isSending}>
          Save graph
        </Button>
      </Stack>
    </form>
  )
}
