import { Button, Group, Kbd, List, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { AiNote } from '../../ai/ai-note.tsx'
import type { Entity } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { invalidateEntities } from '../entity/entity-queries.ts'
import { EntityRow } from './entity-row.tsx'
import { accepted, type Decisions, droppedInWords, type Extraction, entityKey, observableKey } from './extraction.ts'
import { ObservableRow } from './observable-row.tsx'
import classes from './review.module.css'
import { type Saved, saveAccepted } from './save-accepted.ts'
import { SavedExtraction } from './saved-extraction.tsx'
import { useReviewKeys } from './use-review-keys.ts'

interface ExtractionReviewProps {
  readonly report: Entity
  readonly texts: Readonly<Record<string, string>>
  readonly extraction: Extraction
  readonly onAgain: () => void
}

/** What was extracted from a text: each item is accepted or refused, and what was accepted is stored. */
export function ExtractionReview({ report, texts, extraction, onAgain }: ExtractionReviewProps) {
  const mayStore = useMay()('modify entities')
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  const [saved, setSaved] = useState<Saved>()
  const { entities, observables } = extraction
  const keys = [...entities.map(entityKey), ...observables.map(observableKey)]
  const decide = (some: readonly string[], decision: 'accepted' | 'refused' | undefined) =>
    setDecisions((before) => {
      const after = new Map(before)
      for (const key of some)
        if (decision) after.set(key, decision)
        else after.delete(key)
      return after
    })
  const list = useReviewKeys({ keys, decide })
  const chosen = accepted(extraction, decisions)
  const count = chosen.entities.length + chosen.observables.length
  const stored = useMutation({
    mutationFn: () => saveAccepted(report, extraction, chosen),
    onSuccess: async (made) => {
      setSaved(made)
      await invalidateEntities()
    },
  })
  if (saved) return <SavedExtraction saved={saved} onAgain={onAgain} />
  return (
    <Stack>
      <Group justify="space-between">
        <AiNote made={extraction} />
        <Button variant="subtle" size="compact-sm" onClick={onAgain}>
          Discard
        </Button>
      </Group>
      <div ref={list} className={classes.list}>
        <Section title="Entities" count={entities.length} keys={entities.map(entityKey)} decide={decide}>
          {entities.map((entity) => (
            <EntityRow key={entityKey(entity)} entity={entity} texts={texts} decisions={decisions} decide={decide} />
          ))}
        </Section>
        <Section
          title="Observables"
          count={observables.length}
          // Those on exclusion lists are accepted one by one.
          keys={observables.filter(({ is_excluded }) => !is_excluded).map(observableKey)}
          decide={decide}
        >
          {observables.map((each) => (
            <ObservableRow key={observableKey(each)} observable={each} decisions={decisions} decide={decide} />
          ))}
        </Section>
      </div>
      {(extraction.dropped.count > 0 || extraction.notes.length > 0) && (
        <List size="xs" c="dimmed">
          {extraction.dropped.count > 0 && <List.Item>{droppedInWords(extraction.dropped)}</List.Item>}
          {extraction.notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
      {stored.error && <ErrorFaults error={stored.error} />}
      <Group className={classes.foot} justify="space-between">
        <Text size="xs" c="dimmed" visibleFrom="sm">
          <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> move, <Kbd size="xs">a</Kbd> accept, <Kbd size="xs">r</Kbd>{' '}
          refuse, <Kbd size="xs">A</Kbd> <Kbd size="xs">R</Kbd> all
        </Text>
        <Group gap="sm" ml="auto">
          <Text size="sm" role="status">
            {count} of {keys.length} accepted
          </Text>
          <Button disabled={count === 0 || !mayStore} loading={stored.isPending} onClick={() => stored.mutate()}>
            Save accepted
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

interface SectionProps {
  readonly title: string
  readonly count: number
  readonly keys: readonly string[]
  readonly decide: (keys: readonly string[], decision: 'accepted' | 'refused') => void
  readonly children: readonly ReactNode[]
}

function Section({ title, count, keys, decide, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Group gap="xs" mb="xs" mt="sm">
        <Title order={2} size="h5" id={id}>
          {title} ({count})
        </Title>
        {keys.length > 1 && (
          <>
            <Button size="compact-xs" variant="subtle" onClick={() => decide(keys, 'accepted')}>
              Accept all
            </Button>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => decide(keys, 'refused')}>
              Refuse all
            </Button>
          </>
        )}
      </Group>
      {count === 0 ? (
        <Text size="sm" c="dimmed">
          None found.
        </Text>
      ) : (
        <Stack gap="xs">{children}</Stack>
      )}
    </section>
  )
}
