import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { inSentence } from '../ui/in-sentence.ts'
import { showToast } from '../ui/toasts.tsx'
import type { CollectionModel } from './collections.ts'

interface DeleteProps {
  readonly model: CollectionModel
  readonly ids: readonly string[]
  /** The name of the object, if there is only one. */
  readonly name: string
  readonly onDone: () => void
}

/** Deletes one or several objects after confirmation, in one transaction. */
export function DeleteObjects({ model, ids, name, onDone }: DeleteProps) {
  const [isAsked, setIsAsked] = useState(false)
  const queries = useQueryClient()
  const what = ids.length === 1 ? `“${name}”` : `${ids.length} ${inSentence(model.label)}`
  const removed = useMutation({
    mutationFn: () => {
      const sent = ids.map((id) => (/^\d+$/.test(id) ? Number(id) : id))
      return ids.length === 1 ? call('DELETE', `${model.path}/${ids[0]}`) : call('DELETE', model.path, sent)
    },
    onSuccess: () => {
      setIsAsked(false)
      showToast(`Deleted ${what}`)
      onDone()
      return queries.invalidateQueries({ queryKey: [model.path] })
    },
  })
  return (
    <>
      <Button color="red" variant="light" size="xs" onClick={() => setIsAsked(true)}>
        {ids.length === 1 ? 'Delete' : `Delete ${ids.length} selected`}
      </Button>
      <Modal opened={isAsked} onClose={() => setIsAsked(false)} title={`Delete ${what}?`}>
        <Stack>
          <Text>References to deleted objects may be removed. This cannot be undone.</Text>
          <ErrorFaults error={removed.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsAsked(false)} data-autofocus>
              Cancel
            </Button>
            <Button color="red" loading={removed.isPending} onClick={() => removed.mutate()}>
              Delete
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
