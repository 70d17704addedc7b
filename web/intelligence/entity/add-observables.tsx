import { Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { faultsIn, faultsOutside } from '../../forms/field-faults.ts'
import { Faults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { ObservablesField, type WrittenObservable } from '../observable/observables-field.tsx'
import { invalidateEntities } from './entity-queries.ts'

interface AddObservablesProps {
  readonly entity: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

const START: readonly WrittenObservable[] = [{ type: '', value: '' }]

/** Adds observables to an entity, one by one or as a pasted list. */
export function AddObservables({ entity, isOpen, onClose }: AddObservablesProps) {
  const [lines, setLines] = useState(START)
  const added = useMutation({
    mutationFn: (observables: readonly WrittenObservable[]) =>
      call('POST', `entities/${entity}/observables`, { data: observables }),
    onSuccess: async (_, { length }) => {
      await invalidateEntities()
      showToast(length === 1 ? 'Observable added' : `${length} observables added`)
      setLines(START)
      onClose()
    },
  })
  // In the request the list is not wrapped in a property, so error paths have no name.
  const faults = faultsIn(added.error, []).map((fault) => ({
    ...fault,
    path: fault.path.replace(/^data(?=\[|$)/, 'observables'),
  }))
  const send = () => {
    const filled = lines.filter(({ value }) => value.trim() !== '')
    setLines(filled.length > 0 ? filled : START)
    if (filled.length > 0) added.mutate(filled)
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add observables" size="xl">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Stack>
          <Faults texts={faultsOutside(faults, [['observables']]).map(({ text }) => text)} />
          <ObservablesField value={lines} onChange={setLines} faults={faults} />
          <FormActions submit="Add observables" isSending={added.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
