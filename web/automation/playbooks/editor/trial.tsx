import { Alert, Group, List, Loader, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { useMay } from '../../../api/session.ts'
import { defangText } from '../../../domain/defang-text.ts'
import { faultsIn } from '../../../forms/field-faults.ts'
import { labelOf } from '../../../forms/labels.ts'
import { Card } from '../../../ui/card.tsx'
import { PREVIEW_DELAY_MS } from '../../preview-delay.ts'
import type { Names } from '../names.ts'
import { OBJECTS, outcomeName, type StepKind } from '../playbook.ts'
import { PlaybookRunBadge } from '../runs/run-state-badge.tsx'
import type { RunStep, Tried } from '../runs/run-step.ts'
import { StepTimeline } from '../runs/timeline.tsx'
import { TriedObject } from '../runs/tried-object.tsx'
import { type PlaybookDraft, sentTrigger } from './draft.ts'
import { SamplePicker } from './sample-picker.tsx'

interface TrialProps {
  readonly draft: PlaybookDraft
  readonly kinds: readonly StepKind[]
  readonly names: Names
}

/** Kinds that wait for others, whose answers a dry run cannot know. */
const WAITING = ['enrich', 'detonate']

/** What the steps would do to an object, while they are edited. */
export function Trial({ draft, kinds, names }: TrialProps) {
  const mayTry = useMay()('modify playbooks')
  const { collection, query = null, relational_query = null } = sentTrigger(draft.trigger)
  const [sample, setSample] = useState<{ readonly collection: string; readonly id: string } | null>(null)
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, string>>>({})
  const id = sample?.collection === collection ? sample.id : null
  const latest = { query: query ?? (relational_query ? null : '*:*'), relational_query, most: 1 }
  const chosen = Object.entries(outcomes).filter(([id, outcome]) => {
    const step = draft.steps.find((each) => each.id === id)
    return kinds.some((each) => each.kind === step?.kind && Object.hasOwn(each.outcomes, outcome))
  })
  const text = JSON.stringify({
    playbook: { name: draft.name.trim(), trigger: sentTrigger(draft.trigger), steps: draft.steps },
    outcomes: Object.fromEntries(chosen),
    ...(id === null ? latest : { [collection]: [id] }),
  })
  const [settled] = useDebouncedValue(text, PREVIEW_DELAY_MS)
  const isAsked = mayTry && draft.steps.length > 0
  const tried = useQuery({
    queryKey: ['playbooks', 'trial', settled],
    queryFn: async ({ signal }) =>
      (await call<{ data: readonly Tried[] }>('POST', 'playbooks/dry-run', { data: JSON.parse(settled) }, signal)).data,
    // Steps that were just added are tried once the user pauses.
    enabled: isAsked && !settled.includes('"steps":[]'),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const isBehind = text !== settled || tried.isFetching
  const [first] = tried.data ?? []
  return (
    <Card
      title="What it would do"
      after={isAsked && isBehind && <Loader size={14} aria-label="Computing what it would do" />}
      description="A dry run of the steps as they are now. Nothing is changed, sent or asked."
    >
      <SamplePicker
        label={`Sample ${OBJECTS[collection].one}`}
        collection={collection}
        query={query}
        placeholder="Latest match"
        value={id}
        onChange={(next) => setSample(next === null ? null : { collection, id: next })}
      />
      {!isAsked && <Text size="sm">Add a step to see what the playbook would do.</Text>}
      {isAsked && tried.error && <Incomplete error={tried.error} />}
      {isAsked && !tried.error && tried.data && !first && (
        <Text size="sm">
          No {OBJECTS[collection].one} matches the trigger. Choose one to see what the playbook would do.
        </Text>
      )}
      {isAsked && !tried.error && first && (
        <Stack gap="sm">
          <Group gap="xs">
            <TriedObject tried={first} />
            <PlaybookRunBadge run={first} />
          </Group>
          <StepTimeline
            steps={first.steps}
            kinds={kinds}
            names={names}
            isTrial
            below={(step) => (
              <Outcome
                step={step}
                kind={kinds.find(({ kind }) => kind === step.kind)}
                value={outcomes[step.id] ?? null}
                onChange={(outcome) => setOutcomes(withOutcome(outcomes, step.id, outcome))}
              />
            )}
          />
        </Stack>
      )}
    </Card>
  )
}

function withOutcome(outcomes: Readonly<Record<string, string>>, step: string, outcome: string | null) {
  const { [step]: _, ...others } = outcomes
  return outcome === null ? others : { ...others, [step]: outcome }
}

interface OutcomeProps {
  readonly step: RunStep
  readonly kind: StepKind | undefined
  readonly value: string | null
  readonly onChange: (outcome: string | null) => void
}

/** Chooses the outcome of a step that waits, so that people can look at each branch. */
function Outcome({ step, kind, value, onChange }: OutcomeProps) {
  if (!kind || !WAITING.includes(step.kind) || (step.state === 'SKIPPED' && value === null)) return null
  return (
    <Select
      size="xs"
      label="Try the outcome"
      placeholder="As far as it is known"
      data={Object.keys(kind.outcomes).map((outcome) => ({ value: outcome, label: outcomeName(outcome) }))}
      value={value}
      onChange={onChange}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear outcome' }}
      maw={260}
    />
  )
}

/** What is missing before the steps can be tried. */
function Incomplete({ error }: { readonly error: unknown }) {
  const faults = faultsIn(error, ['playbook'])
  return (
    <Alert color="gray" title="The playbook is not complete yet">
      <List size="sm">
        {faults.map(({ path, text }) => (
          <List.Item key={`${path} ${text}`}>{inWords(path, text)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** A validation error with its place: `playbook.steps[1].enrichers` becomes “Step 2, enrichers”. */
function inWords(path: string, text: string): string {
  const [, place, rest = ''] = /^(?:data\.)?(?:playbook\.)?steps\[(\d+)\]\.?(.*)$/.exec(path) ?? []
  const fields = (place === undefined ? path.replace(/^(?:data\.)?(?:playbook\.)?/, '') : rest)
    .split(/[.[\]]+/)
    .filter((part) => part !== '' && !/^\d+$/.test(part))
    .map((part) => labelOf(part).toLowerCase())
  const where = [...(place === undefined ? [] : [`Step ${Number(place) + 1}`]), ...fields].join(', ')
  return where === '' ? defangText(text) : `${where}: ${defangText(text)}`
}
