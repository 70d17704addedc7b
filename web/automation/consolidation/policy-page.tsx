import { Button, Stack, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { TaskRuns } from '../../background/task-runs.tsx'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { PageTab } from '../../ui/page-tabs.tsx'
import { RulePage } from '../rule-page.tsx'
import { timesOf, useTaskTimes } from '../task-times.ts'
import { ConfigurationsTab } from './configurations-tab.tsx'
import { DeletePolicy } from './delete-policy.tsx'
import { EventList } from './event-list.tsx'
import { POLICIES, type Policy } from './policy.ts'
import { SwitchedOffTab } from './switched-off-tab.tsx'

const TABS: readonly PageTab<Policy>[] = [
  { name: 'overview', label: 'Overview', show: (policy) => <OverviewTab policy={policy} /> },
  { name: 'configurations', label: 'Configurations', show: (policy) => <ConfigurationsTab policy={policy} /> },
  {
    name: 'keys',
    label: 'Switched-off keys',
    permission: 'read entities',
    show: (policy) => <SwitchedOffTab policy={policy} />,
  },
  {
    name: 'history',
    label: 'History',
    permission: 'read entities',
    show: ({ id }) => <EventList policy={id} />,
  },
  {
    name: 'runs',
    label: 'Runs',
    show: ({ task }) => (
      <TaskRuns
        task={task}
        empty="A run compares all existing entities. It starts when you choose “Consolidate now” and whenever a configuration changes. New and changed entities are compared within seconds, without a run."
      />
    ),
  },
]

/** The page of a consolidation policy: its counts, configurations, switched-off keys, history and runs. */
export function PolicyPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <RulePage<Policy>
      key={id}
      kind={POLICIES}
      id={id}
      tabs={TABS}
      deleteButton={(policy) => <DeletePolicy policy={policy} />}
    />
  )
}

function OverviewTab({ policy }: { readonly policy: Policy }) {
  const canRead = useMay()('read entities')
  const groups = useNames('groups')
  const users = useNames('users')
  const times = timesOf(useTaskTimes([policy.task]), policy)
  return (
    <Stack>
      <Facts
        facts={[
          ['Unified entities', policy.unified_count.toLocaleString('en')],
          ['Contributors', policy.contributors_count.toLocaleString('en')],
          ['Merge group', nameOf(groups, policy.merge_group)],
          ['Last run', <Moment key="last" at={times?.last_run?.created_at ?? null} otherwise="Never" />],
          ['Last saved', <Moment key="saved" at={policy.last_updated_at} />],
          ['Saved by', policy.last_updated_by === null ? 'Unknown' : nameOf(users, policy.last_updated_by)],
        ]}
      />
      <Text size="xs" c="dimmed">
        Counts include only what you may see: a unified entity is visible to those who see all of its contributors and
        belong to the merge group.
      </Text>
      <ConfigurationsTab policy={policy} isSummary />
      {canRead && (
        <Card
          title="Suggestions"
          description="Entities that share a name but differ otherwise are not joined automatically. Decide about them one by one."
          actions={
            <Button variant="default" renderRoot={(props) => <Link to="/consolidation-suggestions" {...props} />}>
              Review suggestions
            </Button>
          }
        />
      )}
    </Stack>
  )
}
