import { Alert, Badge, Group, Stack, Table, Text } from '@mantine/core'
import type { Check, TestResult } from './records.ts'

const NAMES: Readonly<Record<Check['name'], string>> = {
  models: 'Address and key',
  chat: 'Answers',
  form: 'Answers with data',
  embedding: 'Makes vectors',
}

/** What a connection test found, step by step. */
export function ConnectionTest({ result }: { readonly result: TestResult }) {
  const isGood = result.status === 'success'
  return (
    <Stack gap="xs" component="section" aria-label="Connection test">
      <Alert
        color={isGood ? 'green' : 'red'}
        variant="light"
        role="status"
        title={isGood ? 'The connection works' : 'The connection does not work'}
      >
        {!isGood && result.error_detail}
      </Alert>
      {result.checks.length > 0 && (
        <Table.ScrollContainer
          minWidth={420}
          scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Checks' } }}
        >
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Check</Table.Th>
                <Table.Th>Result</Table.Th>
                <Table.Th ta="right">Time</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {result.checks.map((check) => (
                <CheckRow key={check.name} check={check} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  )
}

function CheckRow({ check: { name, status, model, detail, milliseconds } }: { readonly check: Check }) {
  const isGood = status === 'success'
  return (
    <Table.Tr>
      <Table.Td>
        {NAMES[name]}
        {model !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {model}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Badge color={isGood ? 'green' : 'red'} variant="light" radius="xs" flex="none">
            {isGood ? 'OK' : 'Failed'}
          </Badge>
          <Text size="sm">{detail}</Text>
        </Group>
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {milliseconds.toLocaleString('en')} ms
      </Table.Td>
    </Table.Tr>
  )
}
