import { Alert, Button, Group, Modal, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { idOf, listQuery } from '../../../api/lists.ts'
import type { Playbook } from '../../../api/resources.ts'
import { defangText } from '../../../domain/defang-text.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorFaults } from '../../../ui/faults.tsx'
import { LoadFault } from '../../../ui/load-fault.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { OBJECTS } from '../playbook.ts'
import { MAX_OBJECTS, type RunTarget, runPlaybook } from './run-queries.ts'
import { TrialOf } from './trial-of.tsx'

interface RunDialogProps {
  readonly target: RunTarget
  readonly onClose: () => void
}

const MAX_PLAYBOOKS = 500

/** What a target is called, such as “3 entities”. */
export const targetName = ({ collection, count }: RunTarget): string =>
  `${count.toLocaleString('en')} ${count === 1 ? OBJECTS[collection].one : OBJECTS[collection].many}`

/** Chooses a playbook, shows what it would do, and runs it on objects. */
export function RunPlaybookDialog({ target, onClose }: RunDialogProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const list = useQuery(listQuery<Playbook>('playbooks', { sort: 'name', limit: MAX_PLAYBOOKS }))
  const fitting = list.data?.data.filter(({ trigger }) => trigger.collection === target.collection)
  const playbook = fitting?.find(({ id }) => String(id) === chosen)
  return (
    <Modal opened onClose={onClose} title={`Run playbook on ${targetName(target)}`} size="lg">
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={120} role="status" aria-label="Loading playbooks" />}
      {fitting?.length === 0 && (
        <EmptyState
          title={`No playbooks for ${OBJECTS[target.collection].many}`}
          action={<PageLink to="/playbooks/templates">Ready-made playbooks</PageLink>}
        >
          Create a playbook that runs on {OBJECTS[target.collection].many} first.
        </EmptyState>
      )}
      {fitting && fitting.length > 0 && (
        <Stack>
          <Select
            label="Playbook"
            placeholder="Choose a playbook"
            data={fitting.map(({ id, name }) => ({ value: String(id), label: defangText(name) }))}
            value={chosen}
            onChange={setChosen}
            searchable
            openOnFocus={false}
            nothingFoundMessage="No matches"
          />
          {playbook?.description && (
            <Text size="sm" c="dimmed">
              {defangText(playbook.description)}
            </Text>
          )}
          <Confirm key={chosen} playbook={playbook} target={target} onClose={onClose} />
        </Stack>
      )}
    </Modal>
  )
}

interface ConfirmProps extends RunDialogProps {
  readonly playbook: Playbook | undefined
}

/** What a playbook would do to the objects, and the button that runs it. */
export function Confirm({ playbook, target, onClose }: ConfirmProps) {
  const navigate = useNavigate()
  const [isShown, setIsShown] = useState(false)
  const run = useMutation({
    mutationFn: () => runPlaybook(playbook?.id ?? 0, target),
    onSuccess: async (runs) => {
      onClose()
      showToast(runs.length === 1 ? 'The run was started' : `${runs.length.toLocaleString('en')} runs were started`)
      const [only] = runs
      if (!playbook) return
      const to =
        runs.length === 1 && only ? `/playbooks/${playbook.id}/runs/${idOf(only)}` : `/playbooks/${playbook.id}`
      await navigate({ to, ...(runs.length !== 1 && { search: { tab: 'runs' } }) } as never)
    },
  })
  const isTooMany = target.count > MAX_OBJECTS
  return (
    <>
      {isTooMany && (
        <Alert color="yellow">
          A playbook runs on at most {MAX_OBJECTS.toLocaleString('en')} objects at a time: on the newest of these.
        </Alert>
      )}
      {playbook?.state === 'PAUSED' && (
        <Alert color="yellow">The playbook is paused. Its runs go on once it is resumed.</Alert>
      )}
      {playbook && isShown && <TrialOf playbook={playbook.id} target={target} />}
      <ErrorFaults error={run.error} />
      <Group justify="flex-end">
        {playbook && !isShown && (
          <Button variant="subtle" onClick={() => setIsShown(true)} disabled={target.count === 0}>
            What would it do?
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!playbook || target.count === 0} loading={run.isPending} onClick={() => run.mutate()}>
          Run playbook
        </Button>
      </Group>
    </>
  )
}
