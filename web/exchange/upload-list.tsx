import { ActionIcon, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import type { File as StoredFile } from '../api/resources.ts'
import { sortFaults } from '../ui/faults.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { sizeInWords } from '../ui/size-in-words.ts'
import type { Upload } from './upload-queue.ts'
import { uploads, useUploads } from './uploads.ts'

const STATES: Readonly<Record<Upload<unknown>['state'], string>> = {
  waiting: 'waits',
  sending: 'uploading',
  sent: 'uploaded',
  refused: 'failed',
}

/** The uploads of this window with their progress. */
export function UploadList() {
  const list = useUploads()
  if (list.length === 0) return null
  const open = list.filter(({ state }) => state === 'waiting' || state === 'sending').length
  return (
    <Paper withBorder p="sm" component="section" aria-label="Uploads">
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600} role="status">
          {open > 0
            ? `Uploading ${open} of ${list.length}`
            : list.length === 1
              ? 'Upload finished'
              : 'All uploads finished'}
        </Text>
        {open < list.length && (
          <Button size="compact-xs" variant="subtle" onClick={uploads.tidy}>
            Clear list
          </Button>
        )}
      </Group>
      <Stack gap={8}>
        {list.map((upload) => (
          <UploadItem key={upload.id} upload={upload} />
        ))}
      </Stack>
    </Paper>
  )
}

function UploadItem({ upload }: { readonly upload: Upload<StoredFile> }) {
  const { id, name, size, state, progress, error, made } = upload
  const isOpen = state === 'waiting' || state === 'sending'
  const label = `${name} ${STATES[state]}`
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        {made ? (
          <PageLink to={`/files/${made.id}`} truncate="end">
            {name}
          </PageLink>
        ) : (
          <Text size="sm" truncate="end">
            {name}
          </Text>
        )}
        <Group gap={6} wrap="nowrap">
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {isOpen ? `${Math.round(progress * 100)}% of ${sizeInWords(size)}` : sizeInWords(size)}
          </Text>
          <ActionIcon
            size="xs"
            variant="subtle"
            color="gray"
            aria-label={isOpen ? `Cancel upload of ${name}` : `Remove ${name} from the list`}
            onClick={() => uploads.remove(id)}
          >
            <Icon name="close" size={10} />
          </ActionIcon>
        </Group>
      </Group>
      <Progress
        size="sm"
        value={state === 'refused' ? 100 : progress * 100}
        color={{ waiting: 'gray', sending: 'blue', sent: 'green', refused: 'red' }[state]}
        aria-label={label}
      />
      {state === 'refused' && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {sortFaults(error, []).others.join(' ')}
        </Text>
      )}
    </div>
  )
}
