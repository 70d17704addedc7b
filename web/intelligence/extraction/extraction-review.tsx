import { Button, Group, Kbd, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AiNote } from '../../ai/ai-note.tsx'
import type { Entity } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { invalidateEntities } from '../entity/entity-queries.ts'
import { accepted, countOf, type Decisions, decided, type Extraction } from './extraction.ts'
import classes from './review.module.css'
import { ReviewList } from './review-list.tsx'
import { type Saved, saveAccepted } from './save-accepted.ts'
import { SavedExtraction } from './saved-extraction.tsx'

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
  const chosen = accepted(extraction, decisions)
  const count = countOf(chosen)
  const stored = useMutation({
    mutationFn: () => saveAccepted(report.id, extraction, chosen),
    onSuccess: async (made) => {
      setSaved(made)
      await invalidateEntities()
    },
  })
  if (saved) return <SavedExtraction report={report.id} saved={saved} onAgain={onAgain} />
  return (
    <Stack>
      <Group justify="space-between">
        <AiNote made={extraction} />
        <Button variant="subtle" size="compact-sm" onClick={onAgain}>
          Discard
        </Button>
      </Group>
      <ReviewList
        texts={texts}
        extraction={extraction}
        decisions={decisions}
        decide={(keys, decision) => setDecisions((before) => decided(before, keys, decision))}
      />
      {stored.error && <ErrorFaults error={stored.error} />}
      <Group className={classes.foot} justify="space-between">
        <Text size="xs" c="dimmed" visibleFrom="sm">
          <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> move, <Kbd size="xs">a</Kbd> accept, <Kbd size="xs">r</Kbd>{' '}
          refuse, <Kbd size="xs">A</Kbd> <Kbd size="xs">R</Kbd> all
        </Text>
        <Group gap="sm" ml="auto">
          <Text size="sm" role="status">
            {count} of {countOf(extraction)} accepted
          </Text>
          {mayStore && (
            <Button disabled={count === 0} loading={stored.isPending} onClick={() => stored.mutate()}>
              Save accepted
            </Button>
          )}
        </Group>
      </Group>
    </Stack>
  )
}
