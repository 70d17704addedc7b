import { Group, Stack, Table, Text } from '@mantine/core'
import { useFirstRows } from '../../attack/show-more.tsx'
import { defangText } from '../../domain/defang-text.ts'
import { Indicator } from '../../ui/indicator.tsx'
import { sizeInWords } from '../../ui/size-in-words.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import type { Detonation } from './detonation-queries.ts'

const Nothing = ({ text }: { readonly text: string }) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
)

/** What the sample contacted. */
export function NetworkTable({ network }: Pick<Detonation, 'network'>) {
  const { shown, more } = useFirstRows(network)
  if (network.length === 0) return <Nothing text="The report names no network contacts." />
  return (
    <Stack gap="xs">
      <TableFrame minWidth={820}>
        <Table aria-label="Network contacts">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={90}>Protocol</Table.Th>
              <Table.Th w={230}>Host</Table.Th>
              <Table.Th w={190}>Address</Table.Th>
              <Table.Th w={70} ta="end">
                Port
              </Table.Th>
              <Table.Th>URL</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ protocol, host, address, port, url }, i) => (
              <Table.Tr key={[String(i), protocol, host, address, port].join(' ')}>
                <Table.Td>{protocol.toUpperCase()}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {host === null ? '–' : <Indicator type="domain" value={host} />}
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {address === null ? (
                    '–'
                  ) : (
                    <Indicator type={address.includes(':') ? 'ipv6' : 'ipv4'} value={address} />
                  )}
                </Table.Td>
                <Table.Td ta="end">{port ?? '–'}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {url === null ? '–' : <Indicator type="uri" value={url} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
      {more}
    </Stack>
  )
}

/** The files that the sample wrote. */
export function DroppedFiles({ dropped_files }: Pick<Detonation, 'dropped_files'>) {
  const { shown, more } = useFirstRows(dropped_files)
  if (dropped_files.length === 0) return <Nothing text="The report names no dropped files." />
  return (
    <Stack gap="xs">
      <TableFrame minWidth={560}>
        <Table aria-label="Dropped files">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th w={100} ta="end">
                Size
              </Table.Th>
              <Table.Th>Hash</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ name, size, md5, sha1, sha256 }, i) => (
              <Table.Tr key={[String(i), name].join(' ')}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{defangText(name)}</Table.Td>
                <Table.Td ta="end">{size === null ? '–' : sizeInWords(size)}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Hash md5={md5} sha1={sha1} sha256={sha256} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
      {more}
    </Stack>
  )
}

type Hashes = Pick<Detonation['dropped_files'][number], 'md5' | 'sha1' | 'sha256'>

/** The strongest hash of a file. */
function Hash({ md5, sha1, sha256 }: Hashes) {
  const [type, value] = sha256 ? ['SHA-256', sha256] : sha1 ? ['SHA-1', sha1] : ['MD5', md5]
  if (!value) return '–'
  return (
    <Group gap={6} wrap="nowrap" align="baseline">
      <Text size="xs" c="dimmed" flex="none">
        {type}
      </Text>
      <Indicator type={`hash-${type.toLowerCase().replace('-', '')}`} value={value} />
    </Group>
  )
}
