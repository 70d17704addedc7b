import { Badge, Group, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { DiscoveryRule } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { TaskRuns } from '../../background/task-runs.tsx'
import { defangText } from '../../domain/defang-text.ts'
import { scheduleInWords } from '../../forms/schedule.ts'
import { EntityTable } from '../../intelligence/entity-table.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { PageTab } from '../../ui/page-tabs.tsx'
import { scopeInWords } from '../in-words.ts'
import { DISCOVERY_RULES } from '../rule-kind.ts'
import { RulePage } from '../rule-page.tsx'
import { timesOf, useTaskTimes } from '../task-times.ts'
import { KEYWORD_PLACES } from './discovery-values.ts'

const TABS: readonly PageTab<DiscoveryRule>[] = [
  { name: 'found', label: 'Found entities', show: (rule) => <FoundTab rule={rule} /> },
  { name: 'criteria', label: 'Criteria', show: (rule) => <CriteriaTab rule={rule} /> },
  {
    name: 'runs',
    label: 'Runs',
    show: ({ task }) => (
      <TaskRuns
        task={task}
        empty="A run checks all existing entities against the rule. It starts whenever the criteria change."
      />
    ),
  },
]

/** The page of a discovery rule: what it found, its criteria and its runs. */
export function DiscoveryRulePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <RulePage<DiscoveryRule> key={id} kind={DISCOVERY_RULES} id={id} tabs={TABS} />
}

interface TabProps {
  readonly rule: DiscoveryRule
}

function FoundTab({ rule }: TabProps) {
  const may = useMay()
  const times = timesOf(useTaskTimes([rule.task]), rule)
  return (
    <Stack>
      <Facts
        columns={4}
        facts={[
          ['Found', rule.discovered_count.toLocaleString('en')],
          ['Last hit', <Moment key="hit" at={rule.last_discovered_at} otherwise="Never" />],
          ['Last run', <Moment key="last" at={times?.last_run?.created_at ?? null} otherwise="Never" />],
          ['Next run', <Moment key="next" at={times?.next_run_at ?? null} otherwise="Not scheduled" />],
        ]}
      />
      {may('read entities') ? (
        <EntityTable
          label="Found entities"
          parameters={{ 'filter[discovery_rules]': rule.id, sort: '-last_updated_at' }}
          empty={
            <EmptyState title="Nothing found yet">
              New and changed entities that match the criteria appear here within seconds.
            </EmptyState>
          }
        />
      ) : (
        <NoPermission permission="read entities" />
      )}
    </Stack>
  )
}

function CriteriaTab({ rule }: TabProps) {
  const sources = useNames('sources')
  const workspaces = useNames('workspaces')
  const scope = scopeInWords({
    entity_types: rule.entity_types,
    sources: rule.sources.map((url) => nameOf(sources, url)),
  })
  const places = KEYWORD_PLACES.filter(({ value }) => rule.match_keywords_in.includes(value))
  return (
    <Card title="Criteria" description="An entity must match all of these.">
      <Facts
        columns={1}
        facts={[
          [
            'Keywords, one of which must occur',
            rule.keywords.length === 0 ? (
              'None'
            ) : (
              <Group key="keywords" gap={4}>
                {rule.keywords.map((keyword) => (
                  <Badge key={keyword} variant="default" radius="xs">
                    {defangText(keyword)}
                  </Badge>
                ))}
                <Text size="xs" c="dimmed">
                  in {places.map(({ label }) => label.toLowerCase()).join(', ')}
                </Text>
              </Group>
            ),
          ],
          [
            'Query',
            rule.search_query === null ? (
              'None'
            ) : (
              <span key="query" className="code">
                {rule.search_query}
              </span>
            ),
          ],
          ['Types and sources', scope.length === 0 ? 'All' : scope.join(' ')],
          [
            'Workspaces',
            rule.workspaces.length === 0 ? (
              'None: visible to everyone with access to discovery rules'
            ) : (
              <Group key="workspaces" gap="xs">
                {rule.workspaces.map((url) => (
                  <PageLink key={url} to={`/workspaces/${idOf(url)}`}>
                    {defangText(nameOf(workspaces, url))}
                  </PageLink>
                ))}
              </Group>
            ),
          ],
          ['Check all entities again', scheduleInWords(rule.execution_schedule)],
        ]}
      />
    </Card>
  )
}
