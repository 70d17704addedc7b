import { Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { observableTypeName } from '../../domain/observables.ts'
import { durationOf } from '../../feeds/durations.ts'
import { ReferenceName } from '../../intelligence/reference-name.tsx'
import { ReliabilityBadge, TlpBadge } from '../../ui/badges.tsx'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Consent } from './consent.tsx'
import { DayCount } from './day-count.tsx'
import { type Detonator, testDetonator } from './detonator-queries.ts'
import { kindsInWords, missingParameters } from './detonator-words.ts'

/** How a detonator is set, whether its sandbox answers, and what submitting to it means. */
export function DetonatorOverview({ detonator }: { readonly detonator: Detonator }) {
  const may = useMay()
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <Card title="Terms" description="Each user accepts them once before they submit samples.">
          {(detonator.terms ?? []).length === 0 ? (
            <Text size="sm">There are no terms to accept.</Text>
          ) : (
            <Consent detonator={detonator} />
          )}
        </Card>
        <Stack>
          <Card title="Submissions today">
            <DayCount detonator={detonator} />
            {detonator.resumes_at !== null && (
              <Text size="sm">
                Continues at <Moment at={detonator.resumes_at} />
              </Text>
            )}
          </Card>
          {may('modify detonators') && <Connection detonator={detonator} />}
        </Stack>
      </SimpleGrid>
      <Settings detonator={detonator} />
    </Stack>
  )
}

function Connection({ detonator }: { readonly detonator: Detonator }) {
  const missing = missingParameters(detonator)
  const tested = useMutation({ mutationFn: () => testDetonator(detonator.id) })
  return (
    <Card
      title="Connection"
      description="One harmless call that checks the address and the credentials. No sample is sent."
      actions={
        <Button
          variant="default"
          loading={tested.isPending}
          disabled={missing.length > 0}
          onClick={() => tested.mutate()}
        >
          Test connection
        </Button>
      }
    >
      {missing.length > 0 && (
        <Text size="sm" c="dimmed">
          Enter {missing.join(', ')} in the settings first.
        </Text>
      )}
      <ErrorFaults error={tested.error} />
      <div role="status">
        {tested.data && (
          <Group gap="xs">
            <Badge variant="light" radius="xs" color={tested.data.state === 'OK' ? 'green' : 'red'}>
              {tested.data.state === 'OK' ? 'Connection works' : 'Failed'}
            </Badge>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {tested.data.reason === null
                ? `Answered within ${tested.data.milliseconds.toLocaleString('en')} ms.`
                : defangText(tested.data.reason)}
            </Text>
          </Group>
        )}
      </div>
    </Card>
  )
}

function Settings({ detonator }: { readonly detonator: Detonator }) {
  const { source, max_tlp, tlp_color, source_reliability, cache_validity, selected_extract_types } = detonator
  return (
    <Card title="Settings">
      <Facts
        facts={[
          ['Takes', kindsInWords(detonator.supported_detonation_types) || 'Nothing'],
          [
            'Source of results',
            <ReferenceName key="source" collection="sources" url={source} permission="read sources" />,
          ],
          ['Maximum TLP', max_tlp ? <TlpBadge key="max" tlp={max_tlp} /> : 'No maximum'],
          ['TLP of results', tlp_color ? <TlpBadge key="tlp" tlp={tlp_color} /> : 'As sample'],
          [
            'Reliability',
            source_reliability ? <ReliabilityBadge key="reliability" reliability={source_reliability} /> : 'Not rated',
          ],
          ['Results are reused for', durationOf(cache_validity)],
        ]}
      />
      <div>
        <Text size="xs" c="dimmed" mb={4}>
          Extracted observables
        </Text>
        <Group gap={4}>
          {selected_extract_types.length === 0 && <Text size="sm">None</Text>}
          {selected_extract_types.map((type) => (
            <Badge key={type} variant="default" radius="xs" tt="none">
              {observableTypeName(type)}
            </Badge>
          ))}
        </Group>
      </div>
    </Card>
  )
}
