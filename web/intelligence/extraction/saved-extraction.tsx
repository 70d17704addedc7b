import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { invalidateEntities } from '../entity/entity-queries.ts'
import { EntityLink } from '../entity-link.tsx'
import type { Saved } from './save-accepted.ts'

interface SavedExtractionProps {
  /** The id of the entity that the text is from. */
  readonly report: string
  readonly saved: Saved
  readonly onAgain: () => void
}

/** What was stored of an extraction, which can be undone. */
export function SavedExtraction({ report, saved, onAgain }: SavedExtractionProps) {
  const undone = useMutation({ mutationFn: saved.undo, onSuccess: invalidateEntities })
  const { created, linked, observables } = saved
  return (
    <Stack maw={720}>
      <Alert color={undone.isSuccess ? 'gray' : 'green'} variant="light" role="status">
        {undone.isSuccess ? 'Everything that was saved has been removed again.' : summary(saved)}
      </Alert>
      {!undone.isSuccess && (
        <>
          <Entities title="Created and related" entities={created} />
          <Entities title="Related" entities={linked} />
          {observables > 0 && <Text size="sm">{counted(observables, 'observable', 'observables')} added.</Text>}
        </>
      )}
      {undone.error && <ErrorFaults error={undone.error} />}
      <Group>
        {!undone.isSuccess && created.length + linked.length > 0 && (
          <PageLink to={`/entities/${report}`} search={{ tab: 'relationships' }}>
            Show relationships
          </PageLink>
        )}
        {!undone.isSuccess && (
          <Button variant="default" loading={undone.isPending} onClick={() => undone.mutate()}>
            Undo
          </Button>
        )}
        <Button variant="subtle" onClick={onAgain}>
          Extract again
        </Button>
      </Group>
    </Stack>
  )
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const summary = ({ created, linked, observables }: Saved): string =>
  `Saved: ${counted(created.length, 'new entity', 'new entities')}, ${counted(linked.length, 'known entity', 'known entities')} related, ${counted(observables, 'observable', 'observables')}.`

function Entities({ title, entities }: { readonly title: string; readonly entities: Saved['created'] }) {
  if (entities.length === 0) return null
  return (
    <section aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      <Stack gap={6}>
        {entities.map((entity) => (
          <EntityLink key={entity.id} {...entity} />
        ))}
      </Stack>
    </section>
  )
}
