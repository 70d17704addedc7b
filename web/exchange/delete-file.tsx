import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import type { File as StoredFile } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { waitForRun } from '../background/run-queries.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'

/** Deletes a file and optionally the objects imported from it. */
export function DeleteFile({ file }: { readonly file: StoredFile }) {
  const may = useMay()
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(false)
  const [hasEntities, setHasEntities] = useState(false)
  const [hasObservables, setHasObservables] = useState(false)
  const mayDeleteContents = may('modify blob-uploads')
  const deleted = useMutation({
    mutationFn: () => remove(file.id, hasEntities, hasObservables),
    onSuccess: async (run) => {
      await navigate({ to: '/files' })
      showToast(`“${file.name}” deleted`)
      void invalidate('files', 'workspaces')
      // Imported objects are deleted in the background.
      if (run) void waitForRun(run).then(() => invalidate('files', 'entities', 'observables'), showErrorToast)
    },
  })
  return (
    <>
      <Button variant="light" color="red" onClick={() => setIsAsked(true)}>
        Delete
      </Button>
      <Modal opened={isAsked} onClose={() => setIsAsked(false)} title={`Delete “${file.name}”?`}>
        <Stack>
          <Text size="sm">This deletes the file and its processing report. It cannot be undone.</Text>
          {mayDeleteContents && may('modify entities') && (
            <Checkbox
              label="Also delete entities that come from this file only"
              checked={hasEntities}
              onChange={({ currentTarget: { checked } }) => setHasEntities(checked)}
            />
          )}
          {mayDeleteContents && may('modify extracts') && (
            <Checkbox
              label="Also delete observables that come from this file only"
              checked={hasObservables}
              onChange={({ currentTarget: { checked } }) => setHasObservables(checked)}
            />
          )}
          <ErrorFaults error={deleted.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsAsked(false)}>
              Cancel
            </Button>
            <Button color="red" loading={deleted.isPending} onClick={() => deleted.mutate()}>
              Delete file
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** Returns the run that deletes the imported objects, if there is one. */
async function remove(id: number, delete_entities: boolean, delete_extracts: boolean): Promise<string | undefined> {
  if (!delete_entities && !delete_extracts) return call<undefined>('DELETE', `files/${id}`)
  const data = { ids: [id], delete_entities, delete_extracts }
  return (await call<{ data: { task_run: string } }>('POST', 'files/delete-uploads', { data })).data.task_run
}
