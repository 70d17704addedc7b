import { List, SimpleGrid, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { EnrichmentRule } from '../../api/resources.ts'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { PageTab } from '../../ui/page-tabs.tsx'
import { LookUpRuns } from '../enrichers/look-up-runs.tsx'
import { ENRICHMENT_RULES } from '../rule-kind.ts'
import { RulePage } from '../rule-page.tsx'
import { timesOf, useTaskTimes } from '../task-times.ts'
import { criteriaInWords, dataInWords, STOPS } from './rule-words.ts'

const TABS: readonly PageTab<EnrichmentRule>[] = [
  { name: 'overview', label: 'Overview', show: (rule) => <OverviewTab rule={rule} /> },
  {
    name: 'runs',
    label: 'Runs',
    show: ({ task, is_retroactive }) => (
      <LookUpRuns
        task={task}
        empty={
          is_retroactive
            ? 'A run looks up existing data. New data is looked up as it arrives, without a run.'
            : 'The rule only looks up new data, without runs. Edit it to look up existing data as well.'
        }
      />
    ),
  },
]

/** The page of an enrichment rule: what it looks up, and its runs. */
export function EnrichmentRulePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <RulePage<EnrichmentRule> key={id} kind={ENRICHMENT_RULES} id={id} tabs={TABS} />
}

function OverviewTab({ rule }: { readonly rule: EnrichmentRule }) {
  const users = useNames('users')
  const sources = useNames('sources')
  const times = timesOf(useTaskTimes([rule.task]), rule)
  return (
    <Stack>
      <Facts
        facts={[
          ['Look-ups requested', rule.enqueued_count.toLocaleString('en')],
          ['Last look-up', <Moment key="last" at={rule.last_enqueued_at} otherwise="Never" />],
          ['Last run', <Moment key="run" at={times?.last_run?.created_at ?? null} otherwise="Never" />],
          ['Next run', <Moment key="next" at={times?.next_run_at ?? null} otherwise="Not scheduled" />],
          ['Last saved', <Moment key="saved" at={rule.last_updated_at} />],
          ['Runs as', rule.last_updated_by === null ? 'Unknown' : nameOf(users, rule.last_updated_by)],
        ]}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card title="Applies to" description={dataInWords(rule)}>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {criteriaInWords(rule.criteria, sources).map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </Card>
        <EnrichersCard rule={rule} />
      </SimpleGrid>
    </Stack>
  )
}

function EnrichersCard({ rule: { enrichers, stop_at } }: { readonly rule: EnrichmentRule }) {
  const names = useNames('enrichers')
  const stop = STOPS.find(({ value }) => value === stop_at)
  return (
    <Card
      title="Enrichers"
      description={
        stop
          ? `Asked one after the other until ${stop.value === 'safe' ? 'one gives a verdict' : `a verdict is ${stop.label.toLowerCase()}`}`
          : 'All are asked about each observable'
      }
    >
      {enrichers.length === 0 && <Text size="sm">None. Edit the rule to add an enricher.</Text>}
      <List size="sm" type={stop ? 'ordered' : 'unordered'}>
        {enrichers.map((url) => (
          <List.Item key={url}>
            <PageLink to={`/enrichers/${idOf(url)}`}>{nameOf(names, url)}</PageLink>
          </List.Item>
        ))}
      </List>
    </Card>
  )
}
