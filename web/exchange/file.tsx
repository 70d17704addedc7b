import {
  Alert,
  Badge,
  Button,
  Card,
  CopyButton,
  Group,
  List,
  Paper,
  SimpleGrid,
  Skeleton,
  Stack,
  Tabs,
  Text,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { invalidate } from '../api/invalidate.ts'
import { idOf, oneQuery } from '../api/lists.ts'
import { nameOf, useNames } from '../api/names.ts'
import type { File as StoredFile } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { RunProgress } from '../background/run-progress.tsx'
import { pauseAfter } from '../background/run-queries.ts'
import { EntityTable } from '../intelligence/entity-table.tsx'
import { TlpBadge } from '../ui/badges.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Facts } from '../ui/facts.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Icon } from '../ui/icon.tsx'
import { Moment } from '../ui/moment.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { sizeInWords } from '../ui/size-in-words.ts'
import { useUrlState } from '../ui/use-url-state.ts'
import { DeleteFile } from './delete-file.tsx'
import { formatName, lostIn, notesIn, talliesOf } from './file-facts.ts'
import { FileState, isBusy } from './file-state.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import { ProcessFile } from './process-file.tsx'

interface FilePageProps {
  /** Buttons of capabilities that build on files. */
  readonly actions?: (file: StoredFile) => ReactNode
  /** Further sections of such capabilities. */
  readonly children?: (file: StoredFile) => ReactNode
}

/** The page of a file: its details, processing state, imported objects and losses. */
export function FilePage({ actions, children }: FilePageProps) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { data: file, error } = useQuery({
    ...oneQuery<StoredFile>(`files/${id}`),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isBusy(data) ? pauseAfter(dataUpdateCount) : false,
  })
  if (!file)
    return (
      <>
        <PageHead title="File" />
        {error ? <ErrorFaults error={error} /> : <Skeleton h={320} role="status" aria-label="Loading file" />}
      </>
    )
  return (
    <Stack gap="md">
      <FileHead file={file} actions={actions?.(file)} />
      <FileFacts file={file} />
      <FileRun file={file} />
      {children?.(file)}
      {file.status && !isBusy(file) && <FileOutcome key={file.run} file={file} />}
    </Stack>
  )
}

interface FileHeadProps {
  readonly file: StoredFile
  readonly actions: ReactNode
}

function FileHead({ file, actions }: FileHeadProps) {
  const may = useMay()
  return (
    <PageHead
      title={file.name || `File ${file.id}`}
      after={<FileState file={file} />}
      actions={
        <>
          <Button
            component="a"
            href={`/api/v2/files/${file.id}/download`}
            download
            variant="default"
            leftSection={<Icon name="download" />}
          >
            Download
          </Button>
          {actions}
          {may('modify files') && !isBusy(file) && <ProcessFile file={file} />}
          {may('modify files') && <DeleteFile file={file} />}
        </>
      }
    />
  )
}

function FileFacts({ file }: { readonly file: StoredFile }) {
  const users = useNames('users')
  const sources = useNames('sources')
  const workspaces = useNames('workspaces')
  return (
    <Paper withBorder p="md">
      <Facts
        facts={[
          ['Format', formatName(file.format)],
          ['Size', sizeInWords(file.size)],
          ['Uploaded', <Moment key="at" at={file.created_at} />],
          ['Uploaded by', file.created_by ? nameOf(users, file.created_by) : 'Unknown user'],
          ['Source', file.source ? nameOf(sources, file.source) : 'First group of the uploader'],
          ['TLP', file.tlp_color ? <TlpBadge key="tlp" tlp={file.tlp_color} /> : 'From the file'],
          ['Tags', file.tags.length > 0 ? <Tags key="tags" tags={file.tags} /> : 'None'],
          [
            'Workspaces',
            <Group key="workspaces" gap={6}>
              {file.workspaces.map((at) => (
                <PageLink key={at} to={`/workspaces/${idOf(at)}`}>
                  {nameOf(workspaces, at)}
                </PageLink>
              ))}
              {file.workspaces.length === 0 && 'None'}
            </Group>,
          ],
        ]}
      />
      <Group gap="xs" mt="sm" wrap="nowrap">
        <Text size="xs" c="dimmed" className="code">
          SHA-256 {file.hashes.sha256}
        </Text>
        <CopyButton value={file.hashes.sha256}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="subtle" onClick={copy} aria-label="Copy SHA-256 hash">
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Paper>
  )
}

const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <Group gap={4}>
    {tags.map((tag) => (
      <Badge key={tag} variant="default" size="sm" radius="xs" tt="none">
        {tag}
      </Badge>
    ))}
  </Group>
)

/** The run of a file while it is active, or its error. */
function FileRun({ file }: { readonly file: StoredFile }) {
  const may = useMay()
  if (file.run && isBusy(file) && may('read tasks'))
    return (
      <Paper withBorder p="md">
        <RunProgress run={file.run} onEnded={() => void invalidate('files', 'entities', 'observables')} />
      </Paper>
    )
  if (file.reason === null || file.reason === undefined) return null
  return (
    <Alert color="red" variant="light" title="Processing failed: nothing was imported">
      <PlainText text={file.reason} />
    </Alert>
  )
}

function Notes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <Alert color="blue" variant="light">
      <List size="sm">
        {notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

function FileOutcome({ file }: { readonly file: StoredFile }) {
  const may = useMay()
  const url = useUrlState()
  const lost = lostIn(file.result)
  const tab = url.get('tab') || (lost > 0 ? 'losses' : 'entities')
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {talliesOf(file.result).map(({ kind, counts }) => (
          <Card key={kind} withBorder padding="sm">
            <Text size="xs" c="dimmed">
              {kind}
            </Text>
            {counts.map(([outcome, count]) => (
              <Text key={outcome} size="sm">
                <Text span fw={700} size="lg">
                  {count.toLocaleString('en')}
                </Text>{' '}
                {outcome}
              </Text>
            ))}
          </Card>
        ))}
      </SimpleGrid>
      <Notes notes={notesIn(file.result)} />
      <Tabs value={tab} onChange={(value) => url.set({ tab: value }, true)} keepMounted={false}>
        <Tabs.List mb="sm">
          {may('read entities') && <Tabs.Tab value="entities">Entities</Tabs.Tab>}
          <Tabs.Tab
            value="losses"
            rightSection={
              lost > 0 && (
                <Badge color="orange" size="sm" circle={lost < 10}>
                  {lost}
                </Badge>
              )
            }
          >
            Loss report
          </Tabs.Tab>
          <Tabs.Tab value="objects">All objects</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="entities">
          <EntityTable
            label="Entities in the file"
            parameters={{ 'filter[files]': file.id }}
            empty={
              <EmptyState title="No entities in this file">
                See the loss report for objects that could not be imported.
              </EmptyState>
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="losses">
          <OutcomeTable
            file={file.id}
            label="Loss report"
            isLossOnly
            empty={<EmptyState title="No losses">The whole file was understood and imported.</EmptyState>}
          />
        </Tabs.Panel>
        <Tabs.Panel value="objects">
          <OutcomeTable
            file={file.id}
            label="Objects in the file"
            empty={<EmptyState title="No objects">No intelligence was found in this file.</EmptyState>}
          />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
