import {
  Alert,
  Badge,
  Button,
  Code,
  Group,
  List,
  Paper,
  ScrollArea,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Enricher } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { observableTypeName, typeLookedLike } from '../../domain/observables.ts'
import { Card } from '../../ui/card.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { type TestResult, testEnricher } from './enricher-queries.ts'
import { Findings } from './findings.tsx'
import { prettyAnswer } from './pretty-answer.ts'

/** Makes one real call with a value, and shows the request, the answer and the findings. Nothing is stored. */
export function TestPanel({ enricher }: { readonly enricher: Enricher }) {
  const may = useMay()
  const types = enricher.supported_observable_types
  const [type, setType] = useState(types[0] ?? '')
  const [value, setValue] = useState('')
  const tested = useMutation({ mutationFn: () => testEnricher(enricher.id, type, value.trim()) })
  if (!may('modify enrichers')) return <NoPermission permission="modify enrichers" />
  const { fields, others } = sortFaults(tested.error, ['type', 'value'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    tested.mutate()
  }
  const enter = (text: string) => {
    setValue(text)
    const likely = typeLookedLike(text.trim())
    if (likely && types.includes(likely)) setType(likely)
  }
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Makes one real call, even if the enricher is inactive. The call counts against the limits, and nothing is
        stored.
      </Text>
      <form onSubmit={submit} noValidate>
        <Group align="flex-start">
          <TextInput
            label="Value"
            placeholder="192.0.2.1, evil[.]example, a hash…"
            classNames={{ input: 'code' }}
            flex="1 1 260px"
            value={value}
            error={fields.value}
            onChange={({ currentTarget }) => enter(currentTarget.value)}
          />
          <Select
            label="Type"
            w={200}
            searchable
            allowDeselect={false}
            data={types.map((each) => ({ value: each, label: observableTypeName(each) }))}
            value={type}
            error={fields.type}
            onChange={(chosen) => setType(chosen ?? type)}
          />
          <Button type="submit" mt={24} loading={tested.isPending} disabled={value.trim() === ''}>
            Test
          </Button>
        </Group>
      </form>
      <Faults texts={others} />
      {tested.data && <Result result={tested.data} />}
    </Stack>
  )
}

const STATES: Readonly<Record<TestResult['state'], { readonly label: string; readonly color: string }>> = {
  FOUND: { label: 'Found', color: 'green' },
  EMPTY: { label: 'Not known to the service', color: 'gray' },
  SKIPPED: { label: 'Skipped', color: 'orange' },
  FAILED: { label: 'Failed', color: 'red' },
}

function Result({ result }: { readonly result: TestResult }) {
  const { state, reason, findings, warnings, requests, milliseconds } = result
  const { label, color } = STATES[state]
  return (
    <Stack>
      <Card
        title="Result"
        after={
          <Badge variant="light" radius="xs" color={color} role="status">
            {label}
          </Badge>
        }
        description={`${Math.round(milliseconds).toLocaleString('en')} ms`}
      >
        {reason && <Text size="sm">{defangText(reason)}</Text>}
        {warnings.length > 0 && (
          <Alert color="yellow" variant="light">
            <List size="sm">
              {warnings.map((text) => (
                <List.Item key={text}>{defangText(text)}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {findings.length > 0 && <Findings findings={findings} />}
      </Card>
      {requests.map((request, i) => (
        <Exchange
          key={[String(i), request.url].join(' ')}
          request={request}
          number={requests.length > 1 ? ` ${i + 1}` : ''}
        />
      ))}
    </Stack>
  )
}

interface ExchangeProps {
  readonly request: TestResult['requests'][number]
  readonly number: string
}

function Exchange({ request, number }: ExchangeProps) {
  const { method, url, headers, body, status, answer } = request
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <Card title={`Request${number}`} description="Secrets are masked.">
      <Block label="Request" text={[`${method} ${url}`, ...lines, ...(body ? ['', body] : [])].join('\n')} />
      <Text size="sm" fw={600}>
        Answer (status {status})
      </Text>
      <Block label="Answer" text={prettyAnswer(answer) || 'The answer is empty.'} />
    </Card>
  )
}

const Block = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <Paper withBorder>
    <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Code block bg="transparent">
        {text}
      </Code>
    </ScrollArea.Autosize>
  </Paper>
)
