import { Autocomplete, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { providerName } from '../../ai/made.ts'
import { useMay } from '../../api/session.ts'
import { TlpBadge } from '../../ui/badges.tsx'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { ConnectionTest } from './connection-test.tsx'
import { ProviderForm } from './provider-form.tsx'
import type { ProviderKind } from './providers.ts'
import { chatModelsIn, consentQuery, type ProviderRecord, type TestResult, testProvider } from './records.ts'

interface ProviderCardProps {
  readonly kind: ProviderKind
  readonly record: ProviderRecord
}

/** A provider: its state, its limits, a test of its connection, and the form to set it up. */
export function ProviderCard({ kind, record }: ProviderCardProps) {
  const may = useMay()
  const { data: isAllowed } = useQuery(consentQuery)
  const [isOpen, setIsOpen] = useState(false)
  const test = useConnectionTest(kind.type)
  const mayModify = may('modify configurations')
  const isFixed = record.read_only === true
  const isSetUp = ['success', 'error'].includes(record.integration_status)
  const edit = isOpen ? null : (
    <Button variant="default" size="compact-sm" onClick={() => setIsOpen(true)}>
      {record.last_updated_at === null ? 'Set up' : 'Edit'}
    </Button>
  )
  return (
    <Card
      title={providerName(kind.type)}
      after={<StateBadge record={record} />}
      description={kind.description}
      actions={
        mayModify && (
          <>
            {isSetUp && isAllowed && !isOpen && <TestButton test={test} />}
            {!isFixed && edit}
          </>
        )
      }
    >
      {record.error_detail !== null && !test.result && (
        <Text size="sm" c="red">
          {record.error_detail}
        </Text>
      )}
      {isFixed && (
        <Text size="sm" c="dimmed">
          The address and the key come from the environment of the server (CORVUS_OLLAMA_URL) and cannot be changed
          here.
        </Text>
      )}
      {isOpen ? (
        <ProviderForm
          kind={kind}
          record={record}
          onCancel={() => setIsOpen(false)}
          onSaved={() => {
            setIsOpen(false)
            showToast(`${providerName(kind.type)} saved`)
            if (isAllowed) test.start()
          }}
        />
      ) : (
        isSetUp && <ProviderFacts record={record} />
      )}
      {!isOpen && isSetUp && mayModify && isAllowed && record.features_count === 0 && (
        <NotUsedYet record={record} test={test} />
      )}
      {!isOpen && isSetUp && mayModify && isAllowed === false && (
        <Text size="sm" c="dimmed">
          Allow providers to test the connection.
        </Text>
      )}
      {!isOpen && <ErrorFaults error={test.error} />}
      {!isOpen && test.result && <ConnectionTest result={test.result} />}
    </Card>
  )
}

const STATES: Readonly<Record<ProviderRecord['integration_status'], readonly [label: string, color: string]>> = {
  success: ['Connected', 'green'],
  error: ['Error', 'red'],
  'no key': ['Key missing', 'yellow'],
  'not configured': ['Not set up', 'gray'],
}

function StateBadge({ record: { integration_status, enabled } }: { readonly record: ProviderRecord }) {
  const [label, color] = STATES[integration_status]
  return (
    <>
      <Badge variant="light" radius="xs" color={color} flex="none">
        {label}
      </Badge>
      {integration_status === 'success' && !enabled && (
        <Badge variant="default" radius="xs" flex="none">
          Disabled
        </Badge>
      )}
    </>
  )
}

function ProviderFacts({ record }: { readonly record: ProviderRecord }) {
  const { max_tlp, monthly_token_budget, features_count, models, base_url, selected_embedding_model } = record
  return (
    <Facts
      columns={3}
      facts={[
        ['Address', base_url ?? 'Default'],
        ['Receives at most', max_tlp === 'NONE' ? 'What has no TLP colour' : <TlpBadge key="tlp" tlp={max_tlp} />],
        [
          'Budget of each user',
          monthly_token_budget === null ? 'No limit' : `${monthly_token_budget.toLocaleString('en')} tokens a month`,
        ],
        ['Features', features_count === 0 ? 'None' : String(features_count)],
        ['Models', models.length === 0 ? 'None listed' : models.length.toLocaleString('en')],
        ['Embedding model', selected_embedding_model ?? 'None'],
      ]}
    />
  )
}

interface NotUsedYetProps {
  readonly record: ProviderRecord
  readonly test: Test
}

/** What to do next with a provider that no feature uses. Only features say which of its models is tested. */
function NotUsedYet({ record: { models, embedding_models }, test }: NotUsedYetProps) {
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        No feature uses it yet.{' '}
        <PageLink to="/admin/language-models" search={{ tab: 'features' }} underline="always">
          Assign features
        </PageLink>
      </Text>
      <Autocomplete
        size="xs"
        label="Model to test"
        placeholder="The first one that it lists"
        data={chatModelsIn({ models, embedding_models })}
        limit={50}
        value={test.model}
        onChange={test.setModel}
      />
    </Stack>
  )
}

type Test = ReturnType<typeof useConnectionTest>

/** Loading a large model may take minutes, so that a test can be stopped. */
function TestButton({ test }: { readonly test: Test }) {
  return test.isRunning ? (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" role="status">
        Testing…
      </Text>
      <Button variant="default" size="compact-sm" onClick={test.stop}>
        Stop
      </Button>
    </Group>
  ) : (
    <Button variant="default" size="compact-sm" onClick={test.start}>
      Test connection
    </Button>
  )
}

function useConnectionTest(type: string) {
  const [model, setModel] = useState('')
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const test = useMutation<TestResult | null>({
    mutationFn: async () => {
      const controller = new AbortController()
      running.current = controller
      try {
        return await testProvider(type, model.trim() || null, controller.signal)
      } catch (error) {
        if (controller.signal.aborted) return null
        throw error
      }
    },
  })
  return {
    model,
    setModel,
    isRunning: test.isPending,
    result: test.isPending ? null : test.data,
    error: test.error,
    start: () => test.mutate(),
    stop: () => running.current?.abort(),
  }
}
