import { Alert, Button, Checkbox, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidate } from '../../api/invalidate.ts'
import { defangText } from '../../domain/defang-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { type Detonator, detonatorsQuery } from '../detonators/detonator-queries.ts'
import {
  detonateEntities,
  type EntitiesTarget,
  foundInWords,
  type QueryResult,
  type SampleKind,
} from './detonate-entities.ts'
import { DetonatorChoice } from './detonator-choice.tsx'
import { blockedBy } from './sample.ts'
import { optionInputs, optionsOf, SubmissionOptions } from './submission-options.tsx'

interface DetonateEntitiesDialogProps {
  readonly title: string
  /** Queries that find the entities. */
  readonly queries: readonly string[]
  readonly onClose: () => void
}

/** Submits the attachments and addresses of entities, after showing how many there are. */
export function DetonateEntitiesDialog({ title, queries, onClose }: DetonateEntitiesDialogProps) {
  const detonators = useQuery({ ...detonatorsQuery, refetchOnMount: 'always' })
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <LoadFault query={detonators} />
      {detonators.isPending && <Skeleton h={200} role="status" aria-label="Loading detonators" />}
      {detonators.data &&
        (detonators.data.data.length === 0 ? (
          <EmptyState title="No detonators" action={<PageLink to="/detonators">Set up a detonator</PageLink>}>
            A detonator submits samples to a sandbox.
          </EmptyState>
        ) : (
          <Chooser queries={queries} detonators={detonators.data.data} onClose={onClose} />
        ))}
    </Modal>
  )
}

interface ChooserProps extends Pick<DetonateEntitiesDialogProps, 'queries' | 'onClose'> {
  readonly detonators: readonly Detonator[]
}

const KINDS: readonly { readonly value: SampleKind; readonly label: string }[] = [
  { value: 'attachments', label: 'Attachments' },
  { value: 'observables', label: 'Observables that are URLs' },
]

function Chooser({ queries, detonators, onClose }: ChooserProps) {
  const [kinds, setKinds] = useState<readonly SampleKind[]>(KINDS.map(({ value }) => value))
  const [picked, setPicked] = useState<ReadonlySet<number> | null>(null)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const ready = detonators.filter((each) => each.is_consented && blockedBy(each, undefined, null) === undefined)
  const chosen = picked ?? new Set(ready.length === 1 ? ready.map(({ id }) => id) : [])
  const wanted = ready.filter(({ id }) => chosen.has(id))
  const fields = optionInputs(wanted, undefined)
  const target: EntitiesTarget = {
    queries,
    detonators: wanted.map(({ id }) => id),
    kinds,
    options: optionsOf(fields, texts),
  }
  const forecast = useQuery({
    queryKey: ['detonations', 'forecast', queries, target.detonators, kinds],
    // Options do not change what is found.
    queryFn: ({ signal }) => detonateEntities({ ...target, options: {} }, true, signal),
    enabled: wanted.length > 0 && kinds.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
  const submitted = useMutation({
    mutationFn: () => detonateEntities(target, false),
    onSuccess: () => invalidate('detonations', 'detonators'),
  })
  if (submitted.data) return <Done result={submitted.data} onClose={onClose} />
  const { fields: faults, others } = sortFaults(
    submitted.error,
    fields.map(({ name }) => `options.${name}`),
  )
  return (
    <Stack>
      <Checkbox.Group label="What is submitted" value={[...kinds]} onChange={(next) => setKinds(next as SampleKind[])}>
        <Group mt="xs">
          {KINDS.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <DetonatorChoice detonators={detonators} tlp={null} chosen={chosen} onChoose={setPicked} />
      <SubmissionOptions fields={fields} texts={texts} faults={faults} onChange={setTexts} />
      <LoadFault query={forecast} />
      <div role="status">
        {wanted.length === 0 || kinds.length === 0 ? (
          <Text size="sm" c="dimmed">
            Choose what is submitted and at least one detonator to see how many samples would be submitted.
          </Text>
        ) : forecast.data ? (
          <Forecast result={forecast.data} />
        ) : (
          forecast.isPending && <Skeleton h={40} aria-label="Counting samples" />
        )}
      </div>
      <Faults texts={others} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={submitted.isPending}
          disabled={!forecast.data || forecast.data.submissions === 0}
          onClick={() => submitted.mutate()}
        >
          {forecast.data && forecast.data.submissions > 0
            ? `Request ${forecast.data.submissions.toLocaleString('en')} ${forecast.data.submissions === 1 ? 'detonation' : 'detonations'}`
            : 'Detonate'}
        </Button>
      </Group>
    </Stack>
  )
}

function Forecast({ result }: { readonly result: QueryResult }) {
  const { submissions } = result
  return (
    <Stack gap="xs">
      <Text size="sm">
        {foundInWords(result)} found.{' '}
        {submissions === 0
          ? 'Nothing would be submitted.'
          : 'What is under way or has a valid result is not submitted again.'}
      </Text>
      <Withheld withheld={result.withheld} />
    </Stack>
  )
}

/** What detonators must not receive, and why. */
function Withheld({ withheld }: Pick<QueryResult, 'withheld'>) {
  if (withheld.length === 0) return null
  return (
    <Alert color="yellow" variant="light" title="Not submitted">
      <List size="sm">
        {withheld.map(({ detonator, name, reason, count }) => (
          <List.Item key={`${detonator} ${reason}`}>
            {count.toLocaleString('en')} {count === 1 ? 'sample' : 'samples'} to {name}: {defangText(reason)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

const Done = ({ result, onClose }: { readonly result: QueryResult; readonly onClose: () => void }) => (
  <Stack>
    <Text size="sm" role="status">
      {result.detonations.length === 1
        ? '1 detonation was requested.'
        : `${result.detonations.length.toLocaleString('en')} detonations were requested.`}{' '}
      <PageLink to="/detonations">Show detonations</PageLink>
    </Text>
    <Withheld withheld={result.withheld} />
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </Group>
  </Stack>
)
