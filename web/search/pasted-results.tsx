import { Button, Group, Stack, Table, Tabs, Text } from '@mantine/core'
import { defang } from '../domain/observables.ts'
import { MaliciousnessBadge } from '../ui/badges.tsx'
import { CopyAs } from '../ui/copy-as.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Indicator } from '../ui/indicator.tsx'
import { PageLink } from '../ui/page-link.tsx'
import type { LookedUp } from './paste-dialog.tsx'

/** At most this many rows are shown; copying includes all. */
const MAX_SHOWN_ROWS = 300

const countLabel = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}`

/** The known and unknown indicators of a pasted list. */
export function PastedResults({ known, unknown, unread, onAgain }: LookedUp & { readonly onAgain: () => void }) {
  if (known.length + unknown.length === 0)
    return (
      <EmptyState title="No indicators found" action={<Button onClick={onAgain}>Paste another list</Button>}>
        Corvus recognises IP addresses, domains, URLs, hashes, email addresses, CVEs and other observable types.
      </EmptyState>
    )
  return (
    <Stack>
      <Tabs defaultValue={known.length > 0 ? 'known' : 'unknown'}>
        <Tabs.List>
          <Tabs.Tab value="known">{countLabel(known.length, 'known')}</Tabs.Tab>
          <Tabs.Tab value="unknown">{countLabel(unknown.length, 'unknown')}</Tabs.Tab>
          {unread.length > 0 && <Tabs.Tab value="unread">{countLabel(unread.length, 'not recognised')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="known" pt="sm">
          <KnownTable known={known} />
        </Tabs.Panel>
        <Tabs.Panel value="unknown" pt="sm">
          <UnknownTable unknown={unknown} />
        </Tabs.Panel>
        <Tabs.Panel value="unread" pt="sm">
          <Stack gap={2}>
            {unread.slice(0, MAX_SHOWN_ROWS).map((line) => (
              <Text key={line} size="sm" className="code" lineClamp={1}>
                {line}
              </Text>
            ))}
          </Stack>
        </Tabs.Panel>
      </Tabs>
      <Group justify="flex-end">
        <Button variant="default" onClick={onAgain}>
          Paste another list
        </Button>
      </Group>
    </Stack>
  )
}

function KnownTable({ known }: Pick<LookedUp, 'known'>) {
  if (known.length === 0) return <Text c="dimmed">None of the indicators are known.</Text>
  return (
    <>
      <Copies values={known} />
      <Table.ScrollContainer minWidth={560} maxHeight={420}>
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Indicator</Table.Th>
              <Table.Th>Type</Table.Th>
              <Table.Th>Maliciousness</Table.Th>
              <Table.Th ta="end">Entities</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {known.slice(0, MAX_SHOWN_ROWS).map(({ id, type, value, maliciousness, entities_count }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Indicator type={type} value={value} />
                </Table.Td>
                <Table.Td>{type}</Table.Td>
                <Table.Td>
                  <MaliciousnessBadge maliciousness={maliciousness} />
                </Table.Td>
                <Table.Td ta="end">{entities_count.toLocaleString('en')}</Table.Td>
                <Table.Td ta="end">
                  <PageLink to={`/observables/${id}`}>Open observable</PageLink>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Rest count={known.length} />
    </>
  )
}

function UnknownTable({ unknown }: Pick<LookedUp, 'unknown'>) {
  if (unknown.length === 0) return <Text c="dimmed">All indicators are known.</Text>
  return (
    <>
      <Copies values={unknown} />
      <Table.ScrollContainer minWidth={400} maxHeight={420}>
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Indicator</Table.Th>
              <Table.Th>Detected type</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {unknown.slice(0, MAX_SHOWN_ROWS).map(({ type, value }) => (
              <Table.Tr key={`${type} ${value}`}>
                <Table.Td>
                  <Indicator type={type} value={value} />
                </Table.Td>
                <Table.Td>{type}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Rest count={unknown.length} />
    </>
  )
}

const Rest = ({ count }: { readonly count: number }) =>
  count > MAX_SHOWN_ROWS && (
    <Text size="sm" c="dimmed" pt="xs">
      Showing the first {MAX_SHOWN_ROWS}; copying includes all.
    </Text>
  )

function Copies({ values }: { readonly values: readonly { readonly type: string; readonly value: string }[] }) {
  const plain = values.map(({ value }) => value).join('\n')
  const defanged = values.map(({ type, value }) => defang(type, value)).join('\n')
  return (
    <Group gap="xs" pb="xs">
      <CopyAs label="Copy all defanged" text={defanged} />
      <CopyAs label="Copy all as stored" text={plain} />
    </Group>
  )
}
