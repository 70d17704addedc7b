import { ActionIcon, Anchor, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { listQuery } from '../../api/lists.ts'
import type { Entity, EntityAttachment } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { assertSize } from '../../ui/assert-size.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { sizeInWords } from '../../ui/size-in-words.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { base64Of, MAX_ATTACHMENT_SIZE } from './attachment-upload.ts'
import type { TabProps } from './entity.tsx'
import { invalidateEntities, isUnified } from './entity-queries.ts'

async function attach(entity: string, files: readonly File[]): Promise<void> {
  for (const file of files) assertSize(file, MAX_ATTACHMENT_SIZE)
  for (const file of files) {
    const data = { filename: file.name, data: await base64Of(file), entities: [entity] }
    await call('POST', 'entities/attachments', { data })
  }
}

/** The attachments of an entity. */
export function AttachmentsTab({ entity, attachmentActions }: TabProps) {
  const { id } = entity
  const mayChange = useMay()('modify entities') && !isUnified(entity)
  const list = useQuery(listQuery<EntityAttachment>('entities/attachments', { 'filter[entities]': id, limit: 2_000 }))
  const attached = useMutation({
    mutationFn: (files: readonly File[]) => attach(id, files),
    onSuccess: async (_, { length }) => {
      await invalidateEntities()
      showToast(length === 1 ? 'File attached' : `${length} files attached`)
    },
  })
  const rows = list.data?.data ?? []
  const add = mayChange && (
    <FileButton multiple onChange={(files) => files.length > 0 && attached.mutate(files)}>
      {(props) => (
        <Button {...props} loading={attached.isPending}>
          Attach files
        </Button>
      )}
    </FileButton>
  )
  return (
    <Stack>
      <ErrorFaults error={list.error ?? attached.error} />
      {list.isPending && <Skeleton height={160} />}
      {list.data && rows.length === 0 && (
        <EmptyState title="No attachments yet" action={add}>
          Attach reports, samples or images of up to {sizeInWords(MAX_ATTACHMENT_SIZE)} each. Images can be embedded in
          the description.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <Group justify="flex-end">{add}</Group>
          <AttachmentTable entity={entity} rows={rows} mayChange={mayChange} actions={attachmentActions} />
        </>
      )}
    </Stack>
  )
}

interface AttachmentTableProps {
  readonly entity: Entity
  readonly rows: readonly EntityAttachment[]
  readonly mayChange: boolean
  readonly actions: TabProps['attachmentActions']
}

function AttachmentTable({ entity, rows, mayChange, actions }: AttachmentTableProps) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>File</Table.Th>
            <Table.Th>Media type</Table.Th>
            <Table.Th>Size</Table.Th>
            <Table.Th>SHA-256</Table.Th>
            <Table.Th>Added</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((attachment) => (
            <Table.Tr key={attachment.id}>
              <Table.Td>
                <Anchor
                  size="sm"
                  href={`/api/v2/entities/attachments/${attachment.id}/download`}
                  download={attachment.filename}
                  aria-label={`Download ${attachment.filename}`}
                >
                  {attachment.filename}
                </Anchor>
              </Table.Td>
              <Table.Td>{attachment.content_type}</Table.Td>
              <Table.Td>{sizeInWords(attachment.size)}</Table.Td>
              <Table.Td>
                <Text size="xs" className="code" title={attachment.hashes.sha256}>
                  {attachment.hashes.sha256.slice(0, 16)}…
                </Text>
              </Table.Td>
              <Table.Td>
                <Moment at={attachment.created_at} />
              </Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  {actions?.(attachment, entity)}
                  {mayChange && <Detach entity={entity.id} attachment={attachment} />}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Detach({ entity, attachment }: { readonly entity: string; readonly attachment: EntityAttachment }) {
  const path = `entities/${entity}/attachments`
  const detached = useMutation({
    mutationFn: () => call('DELETE', `${path}/${attachment.id}`),
    onSuccess: async () => {
      await invalidateEntities()
      showToast(`“${attachment.filename}” removed`, async () => {
        await call('POST', path, { data: [attachment.id] })
        await invalidateEntities()
      })
    },
    onError: showErrorToast,
  })
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      aria-label={`Remove ${attachment.filename}`}
      loading={detached.isPending}
      onClick={() => detached.mutate()}
    >
      ✕
    </ActionIcon>
  )
}
