import { Button, Center, Group, Modal, Overlay, SegmentedControl, Skeleton, Stack, Table, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { endlessQuery, type Parameters } from '../api/lists.ts'
import { nameOf, useNames } from '../api/names.ts'
import type { File as StoredFile } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Icon } from '../ui/icon.tsx'
import { ListEnd } from '../ui/list-end.tsx'
import { Moment } from '../ui/moment.tsx'
import { NameSelect } from '../ui/name-select.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { sizeInWords } from '../ui/size-in-words.ts'
import { TableFrame } from '../ui/table-frame.tsx'
import { useUrlState } from '../ui/use-url-state.ts'
import { formatName } from './file-facts.ts'
import { FileState, isBusy, OPEN } from './file-state.tsx'
import { UploadDialog } from './upload-dialog.tsx'
import { UploadList } from './upload-list.tsx'
import { useFileDrop } from './use-file-drop.ts'

const BUSY_MS = 1_000

const VIEWS = [
  { value: '', label: 'All', query: undefined },
  { value: 'open', label: 'Processing', query: `status:(${OPEN.join(' ')})` },
  { value: 'lost', label: 'With warnings', query: 'status:(WARNING CAP_REACHED)' },
  { value: 'failed', label: 'Failed', query: 'status:(FAILURE REVOKED)' },
]

/** The list of uploaded files, which also accepts dropped files. */
export function Files() {
  const may = useMay()
  const url = useUrlState()
  const [chosen, setChosen] = useState<readonly File[] | null>(null)
  const mayUpload = may('modify files')
  const add = useCallback((files: readonly File[]) => setChosen((before) => [...(before ?? []), ...files]), [])
  const isOver = useFileDrop(mayUpload ? add : undefined)
  if (!may('read files'))
    return (
      <>
        <PageHead title="Files" />
        <NoPermission permission="read files" />
      </>
    )
  const upload = mayUpload && (
    <Button leftSection={<Icon name="upload" />} onClick={() => setChosen([])}>
      Upload files
    </Button>
  )
  return (
    <>
      <PageHead
        title="Files"
        description="Uploaded files, from which entities and observables are imported."
        actions={upload}
      />
      <Stack gap="sm">
        <UploadList />
        <Group gap="sm">
          <SegmentedControl
            aria-label="State"
            value={url.get('view')}
            onChange={(view) => url.set({ view })}
            data={VIEWS.map(({ value, label }) => ({ value, label }))}
          />
          <NameSelect
            of="workspaces"
            label="Workspace"
            placeholder="Any workspace"
            isBare
            value={url.get('workspace')}
            onChange={(workspace) => url.set({ workspace })}
            w={220}
          />
        </Group>
        <FileList view={url.get('view')} workspace={url.get('workspace')} upload={upload} />
        <Modal opened={chosen !== null} onClose={() => setChosen(null)} title="Upload files" size="xl">
          <UploadDialog
            files={chosen ?? []}
            onFiles={setChosen}
            workspace={url.get('workspace')}
            onClose={() => setChosen(null)}
          />
        </Modal>
        {isOver && <DropOverlay />}
      </Stack>
    </>
  )
}

const DropOverlay = () => (
  <Overlay fixed blur={2} zIndex={1000} style={{ pointerEvents: 'none' }}>
    <Center h="100%">
      <Title order={2} c="white">
        Drop files to upload them
      </Title>
    </Center>
  </Overlay>
)

interface FileListProps {
  readonly view: string
  readonly workspace: string
  readonly upload: ReactNode
}

function FileList({ view, workspace, upload }: FileListProps) {
  const query = VIEWS.find(({ value }) => value === view)?.query
  const parameters: Parameters = {
    ...(query && { query }),
    ...(workspace !== '' && { 'filter[workspaces]': workspace }),
    attributes: 'id,name,size,format,status,result,process,tlp_color,created_at,created_by',
    sort: '-created_at',
    limit: 50,
  }
  const list = useInfiniteQuery({
    ...endlessQuery<StoredFile>('files', parameters),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ data }) => data.some(isBusy)) ? BUSY_MS : false),
  })
  const files = list.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      <ErrorFaults error={list.error} />
      {list.isPending && <Skeleton h={240} role="status" aria-label="Loading files" />}
      {files?.length === 0 && (
        <EmptyState title={view === '' && workspace === '' ? 'No files yet' : 'No matching files'} action={upload}>
          Drop STIX, MISP, CSV, PDF, email or report files, or archives of them, onto this page to import them.
        </EmptyState>
      )}
      {files && files.length > 0 && <FileTable files={files} />}
      <ListEnd list={list} />
    </>
  )
}

function FileTable({ files }: { readonly files: readonly StoredFile[] }) {
  const users = useNames('users')
  return (
    <TableFrame minWidth={760}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th w={140}>Format</Table.Th>
            <Table.Th w={200}>State</Table.Th>
            <Table.Th w={100} ta="right">
              Size
            </Table.Th>
            <Table.Th w={160}>Uploaded</Table.Th>
            <Table.Th w={140}>Uploaded by</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {files.map((file) => (
            <Table.Tr key={file.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <PageLink to={`/files/${file.id}`}>{file.name || `File ${file.id}`}</PageLink>
              </Table.Td>
              <Table.Td>{formatName(file.format)}</Table.Td>
              <Table.Td>
                <FileState file={file} />
              </Table.Td>
              <Table.Td ta="right">{sizeInWords(file.size)}</Table.Td>
              <Table.Td>
                <Moment at={file.created_at} />
              </Table.Td>
              <Table.Td>{file.created_by && nameOf(users, file.created_by)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}
