import { Alert, Button, Group, List, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { EnrichmentRule } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { RunProgress } from '../../background/run-progress.tsx'
import { entityTypeName } from '../../domain/entity-types.ts'
import { tlpName } from '../../domain/tlp.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { LookUpRuns } from '../enrichers/look-up-runs.tsx'
import { RuleSwitch } from './enrichment-rules.tsx'
import { RuleForm } from './rule-form.tsx'
import { ruleQuery } from './rule-queries.ts'

type Criterion = EnrichmentRule['criteria'][number]

const REFRESH_MS = 15_000

/** The page of an enrichment rule: what it does, and its runs. */
export function EnrichmentRulePage() {
  const may = useMay()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const canRead = may('read enrichment-rules')
  const found = useQuery({ ...ruleQuery(id), enabled: canRead, refetchInterval: REFRESH_MS })
  if (canRead && found.data) return <Opened key={id} rule={found.data} />
  return (
    <>
      <PageHead title="Enrichment rule" />
      {!canRead && <NoPermission permission="read enrichment-rules" />}
      {canRead && <LoadFault query={found} />}
      {canRead && found.isPending && <Skeleton h={300} role="status" aria-label="Loading" />}
    </>
  )
}

function Opened({ rule }: { readonly rule: EnrichmentRule }) {
  const may = useMay()
  return (
    <>
      <PageHead
        title={rule.name}
        description={rule.description}
        actions={may('modify enrichment-rules') && <Actions rule={rule} />}
      />
      {rule.problem !== null && (
        <Alert color="red" variant="light" mb="md" title="The rule does not do everything that it should">
          {rule.problem}
        </Alert>
      )}
      <Stack>
        <Rule rule={rule} />
        {may('read tasks') && (
          <Card title="Runs on existing data">
            <LookUpRuns
              task={rule.task}
              empty="“Run now” looks up existing data. New data is looked up as it arrives."
            />
          </Card>
        )}
      </Stack>
    </>
  )
}

function Actions({ rule }: { readonly rule: EnrichmentRule }) {
  const may = useMay()
  const navigate = useNavigate()
  const [isEdited, setIsEdited] = useState(false)
  const { id, name, task, is_active, is_retroactive } = rule
  const refresh = () => invalidate('enrichment-rules', 'tasks/runs')
  const run = useMutation({
    mutationFn: async () =>
      (await call<{ data: { id: string } }>('POST', 'tasks/runs', { data: { task: Number(idOf(task ?? '')) } })).data
        .id,
    onSuccess: refresh,
  })
  return (
    <>
      <Group gap="sm">
        <RuleSwitch rule={rule} />
        {task !== null && is_retroactive && may('modify tasks') && (
          <Button
            leftSection={<Icon name="play" size={14} />}
            loading={run.isPending}
            disabled={!is_active}
            onClick={() => run.mutate()}
          >
            Run now
          </Button>
        )}
        <Button variant="default" onClick={() => setIsEdited(true)}>
          Settings
        </Button>
        <ConfirmButton
          label="Delete"
          title={`Delete “${name}”?`}
          confirm="Delete rule"
          onConfirm={async () => {
            await call('DELETE', `enrichment-rules/${id}`)
            await navigate({ to: '/enrichment-rules' as never })
            showToast(`Enrichment rule “${name}” deleted`)
            await refresh()
          }}
        >
          What enrichers have found for this rule stays.
        </ConfirmButton>
      </Group>
      {run.error && <ErrorFaults error={run.error} />}
      {run.data && (
        <Paper withBorder p="sm" w="100%">
          <RunProgress key={run.data} run={run.data} onEnded={() => void refresh()} />
        </Paper>
      )}
      {isEdited && (
        <RuleForm
          rule={rule}
          onClose={() => setIsEdited(false)}
          onSaved={() => {
            setIsEdited(false)
            showToast('Changes saved')
            void refresh()
          }}
        />
      )}
    </>
  )
}

const STOPS: Readonly<Record<string, string>> = {
  safe: 'Any verdict',
  low: 'Low or higher',
  medium: 'Medium or higher',
  high: 'High',
}

const TIMES: Readonly<Record<string, string>> = {
  ingestion: 'ingested',
  start: 'started',
  observed: 'observed',
}

function Rule({ rule }: { readonly rule: EnrichmentRule }) {
  const names = useNames('enrichers')
  const sources = useNames('sources')
  const { criteria, enrichers, stop_at, is_retroactive, time_field, time_period } = rule
  const period =
    time_period === null || time_field === null
      ? 'New and existing data'
      : `New data, and what was ${TIMES[time_field]} in the last ${time_period} days`
  return (
    <Card title="Rule">
      <Facts
        columns={4}
        facts={[
          ['Data', is_retroactive ? period : 'New data'],
          ['Stops at', stop_at === null ? 'Asks all enrichers' : STOPS[stop_at]],
          ['Look-ups asked for', rule.enqueued_count.toLocaleString('en')],
          ['Last look-up', <Moment key="last" at={rule.last_enqueued_at} otherwise="Never" />],
        ]}
      />
      <div>
        <Text size="xs" c="dimmed">
          Applies to
        </Text>
        {criteria.length === 0 ? (
          <Text size="sm">All new observables</Text>
        ) : (
          <List size="sm">
            {criteria.map((criterion) => (
              <List.Item key={JSON.stringify(criterion)}>{criterionText(criterion, sources)}</List.Item>
            ))}
          </List>
        )}
      </div>
      <div>
        <Text size="xs" c="dimmed">
          Enrichers
        </Text>
        <List size="sm" type="ordered">
          {enrichers.map((url) => (
            <List.Item key={url}>
              <PageLink to={`/enrichers/${idOf(url)}`}>{nameOf(names, url)}</PageLink>
            </List.Item>
          ))}
        </List>
        {enrichers.length === 0 && <Text size="sm">None. Add an enricher in the settings.</Text>}
      </div>
    </Card>
  )
}

function criterionText(
  { entity_type, source, tlp, without_tlp }: Criterion,
  sources: ReadonlyMap<string, string>,
): string {
  const parts = [
    entity_type === null ? 'Any entity type' : entityTypeName(entity_type),
    ...(source === null ? [] : [`from ${nameOf(sources, source)}`]),
    ...(tlp === null || without_tlp ? [] : [`marked TLP:${tlpName(tlp)}`]),
  ]
  return parts.join(', ')
}
