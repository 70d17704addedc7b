import { Button, Group, List, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { EntityRow } from './entity-row.tsx'
import { droppedInWords, type Extraction, entityKey, observableKey } from './extraction.ts'
import { ObservableRow } from './observable-row.tsx'
import classes from './review.module.css'
import type { Deciding } from './review-row.tsx'
import { useReviewKeys } from './use-review-keys.ts'

interface ReviewListProps extends Deciding {
  readonly texts: Readonly<Record<string, string>>
  readonly extraction: Extraction
}

/** The items of an extraction, each with the buttons and keys to accept or refuse it, and what was left out. */
export function ReviewList({ texts, extraction, decisions, decide }: ReviewListProps) {
  const { entities, observables, dropped, notes } = extraction
  const keys = [...entities.map(entityKey), ...observables.map(observableKey)]
  const list = useReviewKeys({ keys, decide })
  return (
    <>
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
      {(dropped.count > 0 || notes.length > 0) && (
        <List size="xs" c="dimmed">
          {dropped.count > 0 && <List.Item>{droppedInWords(dropped)}</List.Item>}
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
    </>
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
      <Group gap="xs" mb="xs" mt="md">
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
