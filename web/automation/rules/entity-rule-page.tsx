import { Button, Group, List, SimpleGrid, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { listQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { EntityRuleEffect } from '../../api/resources.ts'
import { hasEnded } from '../../background/run-queries.ts'
import { TaskRuns } from '../../background/task-runs.tsx'
import { EFFECTS, effectParameters } from '../../intelligence/entity/rule-effects.ts'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { PageTab } from '../../ui/page-tabs.tsx'
import { ENTITY_RULES } from '../rule-kind.ts'
import { RulePage } from '../rule-page.tsx'
import { timesOf, useTaskTimes } from '../task-times.ts'
import { EffectTable } from './effect-table.tsx'
import { EffectsTab } from './effects-tab.tsx'
import type { EntityRule } from './entity-rule.ts'
import { actionsInWords, criteriaInWords } from './rule-words.ts'
import { UndoDialog } from './undo-dialog.tsx'
import { useMayUndo } from './use-may-undo.ts'
import { useRuleNames } from './use-rule-names.ts'

interface TabProps {
  readonly rule: EntityRule
}

const TABS: readonly PageTab<EntityRule>[] = [
  { name: 'overview', label: 'Overview', show: (rule) => <OverviewTab rule={rule} /> },
  { name: 'history', label: 'History', show: (rule) => <EffectsTab rule={rule} /> },
  { name: 'runs', label: 'Runs', show: (rule) => <RunsTab rule={rule} /> },
]

/** The page of an entity rule: what it does, what it changed, and its runs. */
export function EntityRulePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <RulePage<EntityRule> key={id} kind={ENTITY_RULES} id={id} tabs={TABS} />
}

function OverviewTab({ rule }: TabProps) {
  const names = useRuleNames()
  const users = useNames('users')
  const times = timesOf(useTaskTimes([rule.task]), rule)
  return (
    <Stack>
      <Facts
        facts={[
          ['Applied', `${rule.acted_count.toLocaleString('en')} ${rule.acted_count === 1 ? 'time' : 'times'}`],
          ['Last applied', <Moment key="acted" at={rule.last_acted_at} otherwise="Never" />],
          ['Last run', <Moment key="last" at={times?.last_run?.created_at ?? null} otherwise="Never" />],
          ['Next run', <Moment key="next" at={times?.next_run_at ?? null} otherwise="Not scheduled" />],
          ['Last saved', <Moment key="saved" at={rule.last_updated_at} />],
          ['Runs as', rule.last_updated_by === null ? 'Unknown' : nameOf(users, rule.last_updated_by)],
        ]}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <WordsCard title="Applies to" words={criteriaInWords(rule, names)} />
        <WordsCard title="Actions" words={actionsInWords(rule, names)} />
      </SimpleGrid>
      <LatestChanges rule={rule} />
    </Stack>
  )
}

const MAX_LATEST = 5

/** What the rule changed last. */
function LatestChanges({ rule }: TabProps) {
  const { data, error } = useQuery(
    listQuery<EntityRuleEffect>(EFFECTS, { ...effectParameters({ rule: rule.id }), limit: MAX_LATEST }),
  )
  if (error) return <ErrorFaults error={error} />
  if (!data || data.data.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label="Latest changes">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Latest changes
        </Title>
        <PageLink to={`/entity-rules/${rule.id}`} search={{ tab: 'history' }}>
          Show all
        </PageLink>
      </Group>
      <EffectTable effects={data.data} />
    </Stack>
  )
}

const WordsCard = ({ title, words }: { readonly title: string; readonly words: readonly string[] }) => (
  <Card title={title}>
    <List size="sm" style={{ overflowWrap: 'anywhere' }}>
      {words.map((text) => (
        <List.Item key={text}>{text}</List.Item>
      ))}
    </List>
  </Card>
)

function RunsTab({ rule }: TabProps) {
  const mayUndo = useMayUndo()
  const [undone, setUndone] = useState('')
  return (
    <>
      <TaskRuns
        task={rule.task}
        empty="A run applies the rule to existing entities. New and changed entities are handled as they are stored, without a run."
        actions={(run) =>
          hasEnded(run) && (
            <>
              <PageLink to={`/entity-rules/${rule.id}`} search={{ tab: 'history', run: run.id }}>
                Changes
              </PageLink>
              {mayUndo && (
                <Button size="compact-xs" variant="default" onClick={() => setUndone(run.id)}>
                  Undo…
                </Button>
              )}
            </>
          )
        }
      />
      {undone !== '' && <UndoDialog rule={rule} undone={{ run: undone }} onClose={() => setUndone('')} />}
    </>
  )
}
