import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Enricher } from '../../api/resources.ts'
import { observableTypeName } from '../../domain/observables.ts'
import { durationOf } from '../../feeds/durations.ts'
import { ReferenceName } from '../../intelligence/reference-name.tsx'
import { ReliabilityBadge, TlpBadge } from '../../ui/badges.tsx'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { timesOf, useTaskTimes } from '../task-times.ts'
import { successRate } from './quota.ts'
import { QuotaBars } from './quota-bars.tsx'

/** What an enricher has found, what its limits allow, and how it is set. */
export function EnricherOverview({ enricher }: { readonly enricher: Enricher }) {
  const times = timesOf(useTaskTimes([enricher.task]), enricher)
  const rate = successRate(enricher)
  const { found_count, empty_count, failed_count, waiting_count, quota, cost_per_call } = enricher
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card title="Results">
          <Facts
            columns={3}
            facts={[
              ['Found', found_count.toLocaleString('en')],
              ['Not known', empty_count.toLocaleString('en')],
              ['Failed', failed_count.toLocaleString('en')],
              ['Answered', rate === null ? '–' : `${rate}%`],
              ['In the queue', waiting_count.toLocaleString('en')],
              ['Last call', <Moment key="last" at={enricher.last_call_at} otherwise="Never" />],
              ['Next run', <Moment key="next" at={times?.next_run_at ?? null} otherwise="Not scheduled" />],
              ...(enricher.resumes_at ? [['Resumes', <Moment key="resumes" at={enricher.resumes_at} />] as const] : []),
            ]}
          />
        </Card>
        <Card title="Calls left" description={cost_per_call === null ? undefined : `Cost per call: ${cost_per_call}`}>
          <QuotaBars quota={quota} />
        </Card>
      </SimpleGrid>
      <Card title="Settings">
        <Facts
          facts={[
            ['Function', <span key="function">{enricher.enricher}</span>],
            [
              'Source of findings',
              <ReferenceName key="source" collection="sources" url={enricher.source} permission="read sources" />,
            ],
            ['Maximum TLP', enricher.max_tlp ? <TlpBadge key="max" tlp={enricher.max_tlp} /> : 'No maximum'],
            ['TLP of findings', enricher.tlp_color ? <TlpBadge key="tlp" tlp={enricher.tlp_color} /> : 'As observable'],
            [
              'Reliability',
              enricher.source_reliability ? (
                <ReliabilityBadge key="reliability" reliability={enricher.source_reliability} />
              ) : (
                'Not rated'
              ),
            ],
            ['Results are reused for', durationOf(enricher.cache_validity)],
          ]}
        />
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            Observable types
          </Text>
          <Group gap={4}>
            {enricher.supported_observable_types.map((type) => (
              <Badge key={type} variant="default" radius="xs" tt="none">
                {observableTypeName(type)}
              </Badge>
            ))}
          </Group>
        </div>
      </Card>
    </Stack>
  )
}
